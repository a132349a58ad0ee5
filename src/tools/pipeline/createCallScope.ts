import { errorMessage } from '../../base/errors.ts';
import type { JudgePath } from '../../approvals/decideAsk.ts';
import type { Params } from '../../contracts/json.ts';
import type { ToolCallPart } from '../../contracts/message.ts';
import type { ToolHookContext } from '../../hooks/payloads/hookContexts.ts';
import { createPathJudge } from '../paths/createPathJudge.ts';
import type { WorkspaceLayout } from '../paths/workspaceLayout.ts';
import type { PipelineStepName, ToolCallContext, ToolPipelineDeps } from './pipelineTypes.ts';

/** What every stage of one call needs. */
export interface CallScope {
  readonly deps: ToolPipelineDeps;
  readonly call: ToolCallPart;
  readonly context: ToolCallContext;
  readonly layout: WorkspaceLayout;
  readonly judgePath: JudgePath;
  readonly hookContext: ToolHookContext;
  /** How far the call has come; what observers are told even where a later stage fails. */
  readonly progress: CallProgress;
  /** Does one stage and writes its line into the trace. */
  readonly step: <T>(name: PipelineStepName, work: () => T | Promise<T>) => Promise<T>;
}

export interface CallProgress {
  /** A copy of our own: the transcript and plugins hold others. */
  params: Params;
  /** True from the moment the tool itself runs. */
  isExecuted: boolean;
  executionMs: number;
}

export function createCallScope(
  deps: ToolPipelineDeps,
  call: ToolCallPart,
  context: ToolCallContext,
): CallScope {
  const layout = deps.layout();
  const { clock } = deps;
  const { agentId, sessionKey, sessionId, runId } = context;
  return {
    deps,
    call,
    context,
    layout,
    judgePath: createPathJudge(layout),
    hookContext: { agentId, sessionKey, sessionId, runId, toolName: call.name, toolCallId: call.id },
    progress: { params: structuredClone(call.arguments), isExecuted: false, executionMs: 0 },
    async step(name, work) {
      const started = clock.monotonic();
      const trace = (outcome: 'done' | 'failed'): void => {
        const durationMs = clock.monotonic() - started;
        deps.trace?.({ toolCallId: call.id, toolName: call.name, step: name, durationMs, outcome });
      };
      try {
        const result = await work();
        trace('done');
        return result;
      } catch (error) {
        trace('failed');
        deps.log.write('debug', `[tools] ${call.name} ${call.id} failed at ${name}: ${errorMessage(error)}`);
        throw error;
      }
    },
  };
}
