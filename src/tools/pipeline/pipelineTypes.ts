import type { ApprovalBroker } from '../../approvals/approvalBroker.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { ToolCallPart, ToolResultMessage } from '../../contracts/message.ts';
import type { ModelInfo, ModelSettings } from '../../contracts/model.ts';
import type { ToolResult } from '../../contracts/tool.ts';
import type { ExtensionPoints } from '../../dexto/extensionPoints.ts';
import type { Tenant } from '../../contracts/session.ts';
import type { HookRunner } from '../../hooks/hookRunner.ts';
import type { Clock, Log } from '../../host/ports.ts';
import type { RunTracer } from '../../traces/createRunTraces.ts';
import type { ToolCatalog } from '../catalog.ts';
import type { ParamsValidator } from '../createParamsValidator.ts';
import type { WorkspaceLayout } from '../paths/workspaceLayout.ts';

export interface ToolCallContext {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly agentId: string;
  /** The model whose call it is, and what it was asked for; for Dexto plugins. */
  readonly model: ModelInfo;
  readonly settings?: ModelSettings;
  /** On whose behalf the run is; absent, nobody's in particular. */
  readonly tenant?: Tenant;
  /** Ids of the run in a tree of runs, as hooks get them. */
  readonly trace?: unknown;
  readonly signal: AbortSignal;
  /** Must not throw. */
  readonly emit: (event: AgentEvent) => void;
  /** Takes the observers of `after_tool_call`, which nobody waits for here. */
  readonly inBackground?: (work: Promise<void>) => void;
}

/** Why a call is not carried out. */
export interface SkippedCall {
  /** For the model. */
  readonly result: ToolResult;
  /** For the trace: ends a sentence, and holds nothing of the conversation. */
  readonly because: string;
}

/** Carries out the tool calls of one run. */
export interface ToolPipeline {
  /**
   * One call, from the model's words to the result that is stored. Whatever goes wrong becomes a result that
   * tells the model what to do; rejects only with `cancelled`, when the signal aborts.
   */
  call(call: ToolCallPart, context: ToolCallContext): Promise<ToolResultMessage>;
  /** A call that nobody judges or carries out; its result goes the way of every result. */
  skip(call: ToolCallPart, skipped: SkippedCall, context: ToolCallContext): Promise<ToolResultMessage>;
}

export interface ToolPipelineDeps {
  /** Fixed for the run. */
  readonly catalog: ToolCatalog;
  readonly validator: ParamsValidator;
  readonly hooks: HookRunner;
  /** Dexto plugins, which judge after the hooks; absent, there are none. */
  readonly points?: ExtensionPoints;
  readonly approvals: ApprovalBroker;
  readonly layout: () => WorkspaceLayout;
  readonly clock: Clock;
  readonly log: Log;
  /** Takes secrets out of a result before it is stored; later issues bring one. */
  readonly redact?: (message: ToolResultMessage) => ToolResultMessage;
  /** Takes what each stage did into the trace of its run. */
  readonly traces?: Pick<RunTracer, 'step'>;
  /** Default 16 000. */
  readonly maxResultChars?: number;
}
