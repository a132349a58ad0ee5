import type { ApprovalBroker } from '../../approvals/approvalBroker.ts';
import type { ApprovalMode } from '../../approvals/decideAsk.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { ToolCallPart, ToolResultMessage } from '../../contracts/message.ts';
import type { HookRunner } from '../../hooks/hookRunner.ts';
import type { Clock, Log } from '../../host/ports.ts';
import type { ToolCatalog } from '../catalog.ts';
import type { ParamsValidator } from '../createParamsValidator.ts';
import type { TrustedPolicy } from './judgeByPolicies.ts';
import type { WorkspaceLayout } from '../paths/workspaceLayout.ts';

export interface ToolCallContext {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly agentId: string;
  readonly signal: AbortSignal;
  /** Must not throw. */
  readonly emit: (event: AgentEvent) => void;
  /** Takes the observers of `after_tool_call`, which nobody waits for here. */
  readonly inBackground?: (work: Promise<void>) => void;
}

/** Carries out the tool calls of one run. */
export interface ToolPipeline {
  /**
   * One call, from the model's words to the result that is stored (rulings T2). Whatever goes wrong becomes a result that
   * tells the model what to do; rejects only with `cancelled`, when the signal aborts.
   */
  call(call: ToolCallPart, context: ToolCallContext): Promise<ToolResultMessage>;
}

export type PipelineStepName =
  | 'validate'
  | 'trusted_policies'
  | 'before_tool_call'
  | 'validate_again'
  | 'prepare'
  | 'approve'
  | 'execute'
  | 'tool_result_persist'
  | 'after_tool_call'
  | 'finish';

/** One line of a run's trace. Holds no content. */
export interface PipelineStep {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly step: PipelineStepName;
  readonly durationMs: number;
  /** `failed`: it threw, which ends the call. */
  readonly outcome: 'done' | 'failed';
}

export interface ToolPipelineDeps {
  /** Fixed for the run. */
  readonly catalog: ToolCatalog;
  readonly validator: ParamsValidator;
  readonly hooks: HookRunner;
  /** Judge before the hooks, in this order; default none. */
  readonly policies?: () => readonly TrustedPolicy[];
  readonly approvals: ApprovalBroker;
  readonly approvalMode: () => ApprovalMode;
  readonly layout: () => WorkspaceLayout;
  readonly clock: Clock;
  readonly log: Log;
  /** Takes secrets out of a result before it is stored; later issues bring one. */
  readonly redact?: (message: ToolResultMessage) => ToolResultMessage;
  readonly trace?: (step: PipelineStep) => void;
  /** Default 16 000. */
  readonly maxResultChars?: number;
}
