import type { AnsweredBy, BatchAnswer, ApprovalRequest, ApprovalResolution, WiderScope } from './approval.ts';
import type { AssistantMessage, ToolCallPart, ToolResultMessage, UserMessage } from './message.ts';
import type { ModelFailure, ModelInfo } from './model.ts';
import type { CompactionEntry } from './sessionEntry.ts';
import type { SessionUse } from './usage.ts';

/** How a run ended. `blocked` names the plugin; its reason is what the user may see. */
export type RunOutcome =
  | {
      readonly status: 'completed';
      readonly text: string;
      /** Who put `text` in the place of the answer. */
      readonly stoppedBy?: StopOrigin;
    }
  | { readonly status: 'cancelled' }
  /** The turn ended at a steering point, since the surface has something new from the user. */
  | { readonly status: 'yielded' }
  | ({
      readonly status: 'blocked';
      /** What the plugin's gate says of its block beside the text; kept nowhere. */
      readonly category?: string;
      readonly metadata?: Readonly<Record<string, unknown>>;
      readonly text: string;
    } & StopOrigin)
  | { readonly status: 'failed'; readonly code: string; readonly message: string; readonly hint?: string };

/** The plugin that stopped a message or an answer. */
export interface StopOrigin {
  readonly pluginId: string;
  /** For whoever answers HTTP requests: by the codes of the plugin's notices (Dexto plugin specification, Error Propagation Flow). */
  readonly httpStatus?: number;
  /** `PLUGIN_BLOCKED_EXECUTION`, or why the plugin could not judge. */
  readonly code?: string;
}

/** A file as an edit has left it. */
export interface ChangedFile {
  /** Absolute. */
  readonly file: string;
  readonly status: 'created' | 'changed' | 'deleted';
  /** Lines; absent where nobody counted them. */
  readonly added?: number;
  readonly removed?: number;
}

/**
 * What a run tells its front end, in this order:
 *
 *     waiting? run_started
 *       (model_retry | model_fallback)*  (thinking | text)*  usage message?
 *       (tool_started (approval_requested approval_resolved)? tool_progress* tool_ended)*
 *       (steered | follow_up)*                                                           once per round
 *     run_ended
 *
 * `compaction_*` and `notice` come between rounds, a `notice` before the first as well, `subagent_call_ended` while a started agent
 * runs. A skipped call is a `tool_ended` without a `tool_started`.
 */
export type AgentEvent =
  /** It begins later: once the turn that another process runs in the session has ended, or once changes on disk could be taken over. */
  | { readonly type: 'waiting'; readonly for: 'session' | 'changes' }
  | { readonly type: 'run_started'; readonly runId: string; readonly model: ModelInfo }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'message'; readonly message: AssistantMessage }
  | { readonly type: 'thinking'; readonly text: string }
  | {
      readonly type: 'model_retry';
      readonly attempt: number;
      readonly waitMs: number;
      readonly because: ModelFailure;
    }
  | { readonly type: 'model_fallback'; readonly to: ModelInfo; readonly because: ModelFailure }
  /** What the session has used so far; after each model answer and after a compaction. */
  | { readonly type: 'usage'; readonly use: SessionUse }
  /** The user said something new while the turn ran; `skipped` calls of the last answer were not carried out. */
  | { readonly type: 'steered'; readonly message: UserMessage; readonly skipped: number }
  /** A queued message begins where the turn would have ended. */
  | { readonly type: 'follow_up'; readonly message: UserMessage }
  /** What the user should know of this turn, such as that the model can't see an image. Once each. */
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'compaction_started' }
  | { readonly type: 'compaction_ended'; readonly entry: CompactionEntry }
  | { readonly type: 'compaction_failed'; readonly because: ModelFailure }
  /** `label`: `Read notes.md`. `target`: what of it the call is about, such as a file or a command; empty where nothing says so. */
  | {
      readonly type: 'tool_started';
      readonly call: ToolCallPart;
      readonly label: string;
      readonly target: string;
    }
  | { readonly type: 'tool_progress'; readonly toolCallId: string; readonly text: string }
  | { readonly type: 'approval_requested'; readonly request: ApprovalRequest }
  | {
      readonly type: 'approval_resolved';
      readonly request: ApprovalRequest;
      readonly resolution: ApprovalResolution;
      /** What the answer allowed beside the call. */
      readonly wider?: WiderScope;
      /** There where one yes answered several questions. */
      readonly together?: BatchAnswer;
      readonly by: AnsweredBy;
    }
  | {
      readonly type: 'tool_ended';
      readonly call: ToolCallPart;
      /** As it is stored: plugins may have changed it. */
      readonly result: ToolResultMessage;
      /**
       * What the program itself knows of how the call went, for people: the details that a tool of its own gave, or what stopped the call.
       * No plugin has a hand in it; undefined where a plugin's tool ran.
       */
      readonly facts?: unknown;
    }
  /**
   * A call of an agent that the turn has started, or that such an agent has. Files that it changed count to the turn, whose checkpoint
   * holds what was there before. `started` is undefined for a call that was skipped.
   */
  | {
      readonly type: 'subagent_call_ended';
      /** Which agent: what its task is called. */
      readonly label: string;
      /** Where the call is kept. */
      readonly sessionId: string;
      readonly runId: string;
      /** Which of the agent's answers asked for it, from 1. */
      readonly answer: number;
      readonly call: ToolCallPart;
      readonly result: ToolResultMessage;
      /** As of `tool_ended`. */
      readonly facts?: unknown;
      readonly started: { readonly label: string; readonly target: string } | undefined;
    }
  | { readonly type: 'run_ended'; readonly runId: string; readonly outcome: RunOutcome };

export type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;
