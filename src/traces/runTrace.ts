import type { TokenUsage } from '../contracts/message.ts';
import type { FieldChange, HookTrace, ReportedCall } from '../hooks/hookTrace.ts';
import type { HookDecision, FiringName } from '../hooks/hookTypes.ts';

/** The stages of one tool call, in their order. */
export type ToolStage =
  | 'validate'
  | 'trusted_policies'
  | 'before_tool_call'
  | 'beforeToolCall'
  | 'validate_again'
  | 'prepare'
  | 'approve'
  | 'execute'
  | 'afterToolResult'
  | 'tool_result_middleware'
  | 'tool_result_persist'
  | 'after_tool_call'
  | 'finish';

interface OfCall {
  readonly toolName: string;
  readonly toolCallId: string;
}

/** What happened between the hooks. Holds no content (no message, parameter or result) but what a question was about. */
export type StepFacts =
  /** `asked`: a program asked a model by the gateway, and no agent took part. */
  | {
      readonly kind: 'message';
      readonly outcome: 'received' | 'delivered' | 'withheld' | 'replaced' | 'asked';
    }
  | {
      readonly kind: 'model';
      readonly provider: string;
      readonly model: string;
      readonly outcome: 'answered' | 'failed' | 'cancelled';
      readonly toolCalls: number;
      readonly usage?: TokenUsage;
      readonly error?: string;
    }
  /** The model failed and is asked again. */
  | {
      readonly kind: 'retry';
      readonly attempt: number;
      readonly waitMs: number;
      readonly error: string;
    }
  /** Another model answers in its place. */
  | {
      readonly kind: 'fallback';
      readonly provider: string;
      readonly model: string;
      readonly error: string;
    }
  /** Older messages were replaced by a summary, or not. Tokens are those of the conversation, estimated. */
  | {
      readonly kind: 'compaction';
      readonly outcome: 'compacted';
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | { readonly kind: 'compaction'; readonly outcome: 'failed'; readonly error: string }
  | (OfCall & {
      readonly kind: 'tool';
      readonly stage: ToolStage;
      /** `failed`: it threw, which ends the call. */
      readonly outcome: 'done' | 'failed';
      readonly error?: string;
    })
  /** The host's own rules and trusted policies: whether the call may run, must be asked for, or may not. */
  | (OfCall & {
      readonly kind: 'policy';
      /** The plugin whose trusted policy this was; absent for the host's rules. */
      readonly pluginId?: string;
      /** `dropped`: parameters that a plugin added and the tool doesn't know. `skipped`: nobody judged the call, since it was not to be carried out any more. */
      readonly outcome: 'allowed' | 'changed' | 'dropped' | 'asked' | 'refused' | 'skipped';
      readonly reason?: string;
      readonly changes?: readonly FieldChange[];
    })
  | (OfCall & {
      readonly kind: 'approval';
      readonly title: string;
      /** The commands, hosts or files that the title does not name; traces of earlier versions have none. */
      readonly asked?: string;
      /** `host` and plugin ids. */
      readonly askers: readonly string[];
      readonly resolution: string;
      /** As `AnsweredBy`; traces of earlier versions may have other names. */
      readonly by: string;
      readonly isAllowed: boolean;
    });

/** A step as it is reported: when it began, by the monotonic clock, and how long it took in milliseconds. */
export type RunStep = StepFacts & { readonly startedAt: number; readonly durationMs: number };

/** What one handler did. */
export interface HookFacts {
  readonly kind: 'hook';
  readonly hook: FiringName;
  readonly pluginId: string;
  readonly outcome: HookTrace['outcome'];
  readonly toolName?: string;
  readonly toolCallId?: string;
  readonly decision?: HookDecision;
  readonly changes?: readonly FieldChange[];
  readonly error?: string;
  /** What the host made of the result, where it did not take all of it. */
  readonly note?: string;
}

/** What one handler did whose registration tells of it; such hooks are called points where traces are stored. */
export interface PointFacts extends ReportedCall {
  readonly kind: 'point';
  readonly point: FiringName;
  readonly pluginId: string;
  readonly toolName?: string;
  readonly toolCallId?: string;
  readonly changes?: readonly FieldChange[];
}

/** One line of a trace: `at` and `durationMs` are milliseconds, the first since the run began. Every text is one inert line. */
export type TraceLine = (StepFacts | HookFacts | PointFacts) & {
  readonly at: number;
  readonly durationMs: number;
};

export type TraceStatus = 'running' | 'completed' | 'blocked' | 'cancelled' | 'failed';

/** Everything that happened in one run, in the order it began. It can be shown, stored and sent as it is. */
export interface RunTrace {
  readonly version: 1;
  readonly runId: string;
  readonly sessionKey: string;
  /** The session of the key that it was; traces of earlier versions do not have it. */
  readonly sessionId?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Absent while it runs. */
  readonly durationMs?: number;
  readonly status: TraceStatus;
  /** The plugin that blocked the run. */
  readonly blockedBy?: string;
  /** Why it failed. */
  readonly error?: string;
  readonly lines: readonly TraceLine[];
  /** Lines that were too many to keep. */
  readonly omitted: number;
}
