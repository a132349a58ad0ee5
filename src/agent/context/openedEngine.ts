import type { AgentMessage } from '../../contracts/message.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import type { CompactionResult } from './compactSession.ts';

/**
 * A plugin's context engine, opened for one turn or one compaction (OpenClaw documentation, Context engine). An engine that fails has told
 * the user so by then, and gives undefined from then on: what the host does by itself counts.
 */
export interface OpenedEngine {
  /** For people: the engine and its plugin. */
  readonly name: string;
  /** The history that the model reads in place of the session's. @throws PincerError `cancelled` */
  assemble(request: AssembleRequest): Promise<AssembledHistory | undefined>;
  /** Makes room in its own way. Undefined leaves it to the host. @throws PincerError `cancelled` */
  compact(request: EngineCompactionRequest): Promise<EngineCompaction | undefined>;
  /** The turn came to its end: the engine takes up what was said. Never rejects. */
  takeUp(turn: EndedTurn): Promise<void>;
  /** Lets go of it. Never rejects. */
  close(): Promise<void>;
}

export interface AssembleRequest {
  readonly model: ModelInfo;
  /** What the turn found in the session. What it adds itself is no matter of the engine's: it follows behind. */
  readonly history: readonly AgentMessage[];
  /** Tokens that the history may have. */
  readonly tokenBudget: number;
  readonly toolNames: readonly string[];
  /** The user's words. */
  readonly prompt: string;
  readonly signal: AbortSignal;
}

export interface AssembledHistory {
  readonly messages: readonly AgentMessage[];
  /** Stands before the system prompt; may be empty. */
  readonly systemPromptAddition: string;
  /** `engine`: it makes room by itself, and the host measures nothing. `session`: what counts is the larger of its history and the session's. */
  readonly measuredBy: 'assembled' | 'session' | 'engine';
}

export interface EngineCompactionRequest {
  readonly model: ModelInfo;
  readonly tokenBudget: number;
  /** Of the request as it is, estimated. */
  readonly currentTokens: number;
  /** True where the model has refused the request as too long, or the user wants it. */
  readonly force: boolean;
  readonly instructions: string | undefined;
  readonly signal: AbortSignal;
  /** The host's own compaction, for an engine that leaves it to the host. */
  readonly delegate: () => Promise<CompactionResult>;
}

/** `summary`: a text that stands for what was said. `own`: the engine gives less from now on. `delegated`: the host has done it. */
export type EngineCompaction =
  | { readonly outcome: 'summary'; readonly text: string }
  | { readonly outcome: 'own' }
  | { readonly outcome: 'nothing'; readonly reason: string }
  | { readonly outcome: 'delegated'; readonly result: CompactionResult };

export interface EndedTurn {
  readonly runId: string;
  readonly model: ModelInfo;
  readonly history: readonly AgentMessage[];
  /** What the turn added, each with its entry in the transcript. */
  readonly said: readonly { readonly message: AgentMessage; readonly entryId: string }[];
  readonly tokenBudget: number;
}
