import { errorMessage } from '../../base/errors.ts';
import type { JudgePath } from '../../approvals/decideAsk.ts';
import type { ApprovalResolution } from '../../contracts/approval.ts';
import type { Params } from '../../contracts/json.ts';
import type { ToolCallPart } from '../../contracts/message.ts';
import type { CallIdentity } from '../../contracts/tool.ts';
import type { ToolHookContext } from '../../hooks/payloads/hookContexts.ts';
import { createPathJudge } from '../paths/createPathJudge.ts';
import type { StepFacts, ToolStage } from '../../traces/runTrace.ts';
import type { WorkspaceLayout } from '../paths/workspaceLayout.ts';
import type { ToolCallContext, ToolPipelineDeps } from './pipelineTypes.ts';

/** What every stage of one call needs. */
export interface CallScope {
  readonly deps: ToolPipelineDeps;
  readonly call: ToolCallPart;
  readonly context: ToolCallContext;
  readonly layout: WorkspaceLayout;
  readonly judgePath: JudgePath;
  readonly identity: CallIdentity;
  readonly hookContext: ToolHookContext;
  /** How far the call has come; what observers are told even where a later stage fails. */
  readonly progress: CallProgress;
  /** Does one stage and writes its line into the trace. */
  readonly step: <T>(name: ToolStage, work: () => T | Promise<T>) => Promise<T>;
  /** Writes what was decided about this call into the trace; `startedAt` by the clock that only grows, default now. */
  readonly trace: (facts: DecisionFacts, startedAt?: number) => void;
}

type WithoutCall<Facts> = Facts extends unknown ? Omit<Facts, 'toolName' | 'toolCallId'> : never;
/** What is said of a decision; the call itself is added. */
export type DecisionFacts = WithoutCall<Extract<StepFacts, { kind: 'policy' | 'approval' }>>;

export interface CallProgress {
  /** A copy of our own: the transcript and plugins hold others. */
  params: Params;
  /** True from the moment the tool itself runs. */
  isExecuted: boolean;
  executionMs: number;
  /** How its question ended, where one had to be decided: by a person, a grant, the mode or the clock. */
  approval?: { readonly resolution: ApprovalResolution; readonly by: string };
}

export function createCallScope(
  deps: ToolPipelineDeps,
  call: ToolCallPart,
  context: ToolCallContext,
): CallScope {
  const layout = deps.layout();
  const { clock } = deps;
  const { agentId, sessionKey, sessionId, runId, trace } = context;
  const ofRun = { agentId, sessionKey, sessionId, runId, ...(trace === undefined ? {} : { trace }) };
  const ofCall = { toolName: call.name, toolCallId: call.id };
  const write = (facts: StepFacts, startedAt: number): void =>
    deps.traces?.step(runId, { ...facts, startedAt, durationMs: clock.monotonic() - startedAt });
  return {
    deps,
    call,
    context,
    layout,
    judgePath: createPathJudge(layout),
    identity: { toolCallId: call.id, sessionKey, sessionId, runId },
    hookContext: { ...ofRun, toolName: call.name, toolCallId: call.id },
    progress: { params: structuredClone(call.arguments), isExecuted: false, executionMs: 0 },
    trace: (facts, startedAt = clock.monotonic()) => write({ ...facts, ...ofCall }, startedAt),
    async step(name, work) {
      const startedAt = clock.monotonic();
      try {
        const result = await work();
        write({ kind: 'tool', stage: name, outcome: 'done', ...ofCall }, startedAt);
        return result;
      } catch (error) {
        write(
          { kind: 'tool', stage: name, outcome: 'failed', error: errorMessage(error), ...ofCall },
          startedAt,
        );
        deps.log.write('debug', `[tools] ${call.name} ${call.id} failed at ${name}: ${errorMessage(error)}`);
        throw error;
      }
    },
  };
}
