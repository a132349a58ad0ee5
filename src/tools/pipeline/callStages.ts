import type { ApprovalBroker } from '../../approvals/approvalBroker.ts';
import type { JudgePath, RemotePolicy } from '../../approvals/decideAsk.ts';
import { errorMessage } from '../../base/errors.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { ModelInfo, ModelSettings } from '../../contracts/model.ts';
import type { ToolCall, Turn } from '../../contracts/tool.ts';
import type { HookRunner } from '../../hooks/hookRunner.ts';
import type { ToolHookContext, TraceContext } from '../../hooks/payloads/hookContexts.ts';
import type { PointContext } from '../../hooks/payloads/pointHooks.ts';
import type { Clock, Log } from '../../host/ports.ts';
import type { RunTracer } from '../../traces/createRunTraces.ts';
import type { StepFacts, ToolStage } from '../../traces/runTrace.ts';
import type { ToolCatalog } from '../catalog.ts';
import type { ParamsValidator } from '../createParamsValidator.ts';
import { createPathJudge } from '../paths/createPathJudge.ts';
import type { WorkspaceLayout } from '../paths/workspaceLayout.ts';

/** What the calls of one run are carried out with. */
export interface ToolPipelineDeps {
  /** Fixed for the run. */
  readonly catalog: ToolCatalog;
  readonly validator: ParamsValidator;
  readonly hooks: HookRunner;
  readonly approvals: ApprovalBroker;
  readonly layout: () => WorkspaceLayout;
  readonly clock: Clock;
  readonly log: Log;
  /** Takes what each stage did into the trace of its run. */
  readonly traces?: Pick<RunTracer, 'step'>;
  /** What holds where nobody at the machine began the turn; default nothing. */
  readonly remotePolicy?: RemotePolicy | undefined;
  /**
   * Takes over what the config forbids by now; awaited before each call, and once more after its question was answered. Must not reject.
   */
  readonly takeDenials: () => Promise<void>;
  /** Default 16 000. */
  readonly maxResultChars?: number;
}

/** A turn as its calls know it. */
export interface CallingTurn extends Turn {
  readonly agentId: string;
  /** The surface: `vscode` or `cli`. */
  readonly channelId?: string;
  /** The model whose call it is, and what it was asked for; for plugins. */
  readonly model: ModelInfo;
  readonly settings?: ModelSettings;
  /** Ids of the run in a tree of runs, as hooks get them. */
  readonly traceContext?: TraceContext;
  /** Must not throw. */
  readonly emit: (event: AgentEvent) => void;
  /** Takes the observers of `after_tool_call`, which nobody waits for here. */
  readonly inBackground?: (work: Promise<void>) => void;
}

type PipelineCall = ToolCall<CallingTurn>;

/** How the stages of one call do their work. They hand on what they make of the call; nothing here changes. */
export interface CallStages {
  readonly deps: ToolPipelineDeps;
  readonly call: PipelineCall;
  readonly layout: WorkspaceLayout;
  readonly judgePath: JudgePath;
  /** Does one stage and writes its line into the trace. */
  readonly step: <T>(name: ToolStage, work: () => T | Promise<T>) => Promise<T>;
  /** Writes what was decided about this call into the trace; `startedAt` by the monotonic clock, default now. */
  readonly trace: (facts: DecisionFacts, startedAt?: number) => void;
}

type WithoutCall<Facts> = Facts extends unknown ? Omit<Facts, 'toolName' | 'toolCallId'> : never;
/** What is said of a decision; the call itself is added. */
type DecisionFacts = WithoutCall<Extract<StepFacts, { kind: 'policy' | 'approval' }>>;

export function createStages(deps: ToolPipelineDeps, call: PipelineCall): CallStages {
  const layout = deps.layout();
  const { clock } = deps;
  const { part, turn } = call;
  const ofCall = { toolName: part.name, toolCallId: part.id };
  const write = (facts: StepFacts, startedAt: number): void =>
    deps.traces?.step(turn.runId, { ...facts, startedAt, durationMs: clock.monotonic() - startedAt });
  return {
    deps,
    call,
    layout,
    judgePath: createPathJudge(layout),
    trace: (facts, startedAt = clock.monotonic()) => write({ ...facts, ...ofCall }, startedAt),
    async step(name, work) {
      const startedAt = clock.monotonic();
      try {
        const result = await work();
        write({ kind: 'tool', stage: name, outcome: 'done', ...ofCall }, startedAt);
        return result;
      } catch (error) {
        const text = errorMessage(error);
        write({ kind: 'tool', stage: name, outcome: 'failed', error: text, ...ofCall }, startedAt);
        deps.log.write('debug', `[tools] ${part.name} ${part.id} failed at ${name}: ${text}`);
        throw error;
      }
    },
  };
}

/** The call as hooks of the OpenClaw API see it. Pure. */
export function hookContextOf(call: PipelineCall): ToolHookContext {
  const { traceContext: trace, channelId, jobId } = call.turn;
  return {
    ...idsOf(call),
    ...(jobId === undefined ? {} : { jobId }),
    ...(trace === undefined ? {} : { trace }),
    ...(channelId === undefined ? {} : { channelId }),
  };
}

/** The call as extension points of Dexto see it. Pure. */
export function pointContextOf(call: PipelineCall): PointContext {
  const { model, settings, tenant } = call.turn;
  return {
    ...idsOf(call),
    model,
    ...(settings === undefined ? {} : { settings }),
    ...(tenant === undefined ? {} : { tenant }),
  };
}

function idsOf({ part, turn }: PipelineCall) {
  const { agentId, sessionKey, sessionId, runId } = turn;
  return { agentId, sessionKey, sessionId, runId, toolName: part.name, toolCallId: part.id };
}
