import type {
  AnsweredBy,
  ApprovalAsk,
  ApprovalDecision,
  ApprovalResolution,
  ApprovalSeverity,
} from '../../contracts/approval.ts';
import type { Params } from '../../contracts/jsonTypes.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import type { AgentHookContext, PersistHookContext, ToolHookContext } from './hookContexts.ts';
import type { Modify, Observe, Sync } from './hookShape.ts';

/** Hooks of one tool call and of the messages that are stored. */
export interface ToolHooks {
  before_tool_call: Modify<BeforeToolCallEvent, ToolHookContext, BeforeToolCallResult, BeforeToolCallOutcome>;
  after_tool_call: Observe<AfterToolCallEvent, ToolHookContext>;
  resolve_exec_env: Modify<ResolveExecEnvEvent, AgentHookContext, ExecEnv, { readonly env: ExecEnv }>;
  tool_result_persist: Sync<
    ToolResultPersistEvent,
    PersistHookContext,
    { readonly message?: AgentMessage },
    { readonly message: AgentMessage }
  >;
  before_message_write: Sync<
    BeforeMessageWriteEvent,
    PersistHookContext,
    { readonly message?: AgentMessage; readonly block?: boolean },
    { readonly message: AgentMessage; readonly block?: { readonly pluginId: string } }
  >;
}

/** Environment variables by name. */
export type ExecEnv = Readonly<Record<string, string>>;

export interface ResolveExecEnvEvent {
  readonly sessionKey?: string;
  readonly toolName: 'exec';
  readonly host: 'gateway' | 'sandbox' | 'node';
}

export interface BeforeToolCallEvent {
  readonly toolName: string;
  readonly params: Params;
  readonly runId?: string;
  readonly toolCallId?: string;
  /** Paths the call may touch, as the host guesses them; may be incomplete or too many. */
  readonly derivedPaths?: readonly string[];
}

interface RequestedApproval {
  readonly title: string;
  readonly description: string;
  readonly severity?: ApprovalSeverity;
  readonly timeoutMs?: number;
  readonly timeoutBehavior?: 'allow' | 'deny';
  readonly allowedDecisions?: readonly ApprovalDecision[];
  /** Accepted and ignored: the host names the asker. */
  readonly pluginId?: string;
  readonly onResolution?: (decision: ApprovalResolution) => unknown;
}

interface BeforeToolCallResult {
  /** Merged over the parameters of the call, field by field. */
  readonly params?: Params;
  /** `true` ends the call; `false` is no decision. */
  readonly block?: boolean;
  readonly blockReason?: string;
  readonly requireApproval?: RequestedApproval;
}

/** Who stopped a call. `isSkipped`: its calls have hung, so that it was not asked; a reload tries it again. */
export interface HookBlock {
  readonly pluginId: string;
  readonly reason: string;
  readonly isSkipped?: true;
}

/**
 * `params` are the emitter's own copy, final unless `block` is set. A block counts even where others asked for approval;
 * `asks` then only says who had asked, so that their `onResolution` can be told.
 */
export interface BeforeToolCallOutcome {
  readonly params: Params;
  readonly block?: HookBlock;
  readonly asks: readonly ApprovalAsk[];
}

interface AfterToolCallEvent {
  /** How its question ended and who answered: a surface, `turn`, `session`, `words`, `grant`, `policy`, `timeout`, `cancel`; there where it was asked about. */
  readonly approval?: { readonly resolution: ApprovalResolution; readonly by: AnsweredBy };
  readonly toolName: string;
  readonly params: Params;
  readonly result?: unknown;
  readonly error?: string;
  readonly durationMs?: number;
  readonly runId?: string;
  readonly toolCallId?: string;
}

export interface ToolResultPersistEvent {
  readonly message: AgentMessage;
  readonly toolName?: string;
  readonly toolCallId?: string;
  /** The host made this result up, for a call that never ran. */
  readonly isSynthetic?: boolean;
}

export interface BeforeMessageWriteEvent {
  readonly message: AgentMessage;
  readonly sessionKey?: string;
  readonly agentId?: string;
}
