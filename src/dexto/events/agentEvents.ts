import type { DextoErrorCode } from '../dextoErrors.ts';
import type { ExtensionPoint, PluginNotice } from '../dextoTypes.ts';

/** The turn that something happened in. */
interface InTurn {
  readonly sessionId: string;
  readonly runId: string;
}

/** What plugins can listen to, and what they are told. Names are upstream's where it has one. */
export interface AgentEventPayloads {
  /** A session has begun: its first turn starts. */
  readonly 'session:created': { readonly sessionId: string; readonly agentId: string };
  /** A model has answered; what stands here was shown and stored. */
  readonly 'llm:response': InTurn & {
    readonly provider: string;
    readonly model: string;
    readonly content: string;
    readonly tokenUsage?: { readonly input: number; readonly output: number };
  };
  /** A tool call begins, as the model wrote it: plugins and people have yet to judge it. */
  readonly 'tool:call': InTurn & {
    readonly callId: string;
    readonly toolName: string;
    readonly args: unknown;
  };
  /** A tool call has ended, or was not carried out (`success` false). */
  readonly 'tool:result': InTurn & {
    readonly callId: string;
    readonly toolName: string;
    readonly success: boolean;
  };
  /** A plugin gave a notice. */
  readonly 'plugin:notice': InTurn &
    PluginNotice & { readonly plugin: string; readonly point: ExtensionPoint };
  /** A plugin stopped something, as it may (`PLUGIN_BLOCKED_EXECUTION`). What may quote the conversation is left out. */
  readonly 'plugin:blocked': InTurn & PluginStopPayload;
  /** A plugin failed or took too long (`PLUGIN_EXECUTION_FAILED`, `PLUGIN_EXECUTION_TIMEOUT`). */
  readonly 'plugin:failed': InTurn & PluginStopPayload;
  /** A turn has ended: `completed`, `cancelled`, `yielded`, `blocked` or `failed`. */
  readonly 'run:complete': InTurn & { readonly status: string };
}

interface PluginStopPayload {
  readonly plugin: string;
  readonly point: ExtensionPoint;
  readonly code: DextoErrorCode;
  readonly httpStatus: number;
  /** False for a plugin that is not blocking. */
  readonly isStopped: boolean;
  readonly message?: string;
  readonly notices: readonly PluginNotice[];
}

export type AgentEventName = keyof AgentEventPayloads;

/** Every name that a plugin may listen to, and what happens under it; other eras of upstream said it otherwise. */
export const agentEventNames: ReadonlyMap<string, AgentEventName> = new Map<string, AgentEventName>([
  ['session:created', 'session:created'],
  ['llm:response', 'llm:response'],
  ['llmservice:response', 'llm:response'],
  ['tool:call', 'tool:call'],
  ['llm:tool-call', 'tool:call'],
  ['llmservice:toolCall', 'tool:call'],
  ['tool:result', 'tool:result'],
  ['llm:tool-result', 'tool:result'],
  ['llmservice:toolResult', 'tool:result'],
  ['plugin:notice', 'plugin:notice'],
  ['plugin:blocked', 'plugin:blocked'],
  ['plugin:failed', 'plugin:failed'],
  ['run:complete', 'run:complete'],
]);
