import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { AgentMessage, AssistantMessage } from '../../contracts/message.ts';
import type { Model, ModelFailure, ModelInfo } from '../../contracts/model.ts';
import type { CompactionEntry } from '../../contracts/session.ts';
import type { ToolDefinition } from '../../contracts/tool.ts';
import type { SessionUse } from '../../contracts/usage.ts';

/** The request that is about to go out. */
export interface ContextRequest {
  readonly runId: string;
  readonly model: Model;
  readonly systemPrompt: string;
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly AgentMessage[];
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEvent) => void;
}

/** How an attempt to compact ended. `nothing` says why there was nothing to shorten; `failed` has changed nothing. */
export type CompactionResult =
  | { readonly status: 'compacted'; readonly entry: CompactionEntry }
  | { readonly status: 'nothing'; readonly reason: string }
  | { readonly status: 'failed'; readonly because: ModelFailure };

/**
 * Keeps one session within the window of its model, and counts what it uses. The transcript only grows: a compaction is one
 * more line, and a failed one leaves no trace in it.
 */
export interface ContextKeeper {
  /**
   * Before each model call. Compacts the session where the request leaves too little room for an answer; after `compacted` the
   * caller reads `session.messages()` again. `force`: the model has just refused the request as too long. Rejects only with
   * `cancelled`.
   */
  makeRoom(request: ContextRequest, force?: boolean): Promise<CompactionResult['status']>;
  /** After each model answer: what the server counted, else an estimate. */
  noteAnswer(model: ModelInfo, request: ContextRequest, answer: AssistantMessage): void;
  /** A turn begins: `turn` of `use` counts from here. */
  beginTurn(): void;
  use(model: ModelInfo): SessionUse;
  /** The user's own wish; `instructions` say what the summary must keep. Rejects only with `cancelled`. */
  compact(options: {
    readonly model: Model;
    readonly instructions?: string;
    readonly signal: AbortSignal;
  }): Promise<CompactionResult>;
}
