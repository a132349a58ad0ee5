import type { Json } from '../../contracts/jsonTypes.ts';

/** One event of a turn: `lifecycle`, `assistant`, `tool`, `compaction`, or a stream that a plugin has made up. */
export interface AgentEventPayload {
  readonly runId: string;
  /** Counts up within the run, from 1. */
  readonly seq: number;
  readonly stream: string;
  /** Milliseconds since the epoch. */
  readonly ts: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly sessionKey?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
}

/** A transcript has grown. */
export interface SessionTranscriptUpdate {
  readonly target: { readonly agentId: string; readonly sessionId: string; readonly sessionKey: string };
  readonly agentId: string;
  readonly sessionId: string;
  readonly sessionKey: string;
  /** As it was stored; absent where the conversation was compacted. */
  readonly message?: unknown;
  readonly messageId?: string;
  /** Counts the messages of the transcript, from 1. */
  readonly messageSeq?: number;
  /** The run that ended with this message, which calls no tools. */
  readonly runId?: string;
}

/** Hears the events of all turns, those of some streams alone where it names them. */
export interface PluginAgentEventSubscription {
  readonly id: string;
  readonly description?: string;
  readonly streams?: readonly string[];
  handle(
    event: AgentEventPayload,
    context: {
      getRunContext(namespace: string): Json | undefined;
      setRunContext(namespace: string, value: Json): void;
      clearRunContext(namespace?: string): void;
    },
  ): unknown;
}

export interface PluginAgentEventEmit {
  readonly runId: string;
  readonly stream: string;
  readonly data: Json;
  readonly sessionKey?: string;
}

export type PluginAgentEventEmitResult =
  { readonly emitted: true; readonly stream: string } | { readonly emitted: false; readonly reason: string };
