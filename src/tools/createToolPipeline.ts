import { cancelledError, raceAbort, throwIfAborted } from '../base/abort.ts';
import { inertLine, truncate } from '../base/text.ts';
import type { ToolCallPart, ToolResultMessage } from '../contracts/message.ts';
import type { AgentTool, ToolResult } from '../contracts/tool.ts';
import { createCallScope, type CallScope } from './pipeline/createCallScope.ts';
import { finishCall, observeAfter } from './pipeline/finishCall.ts';
import { judgeCall, type AllowedCall } from './pipeline/judgeCall.ts';
import { labelOfCall } from './pipeline/labelOfCall.ts';
import { isPart, normalizeToolResult } from './pipeline/normalizeToolResult.ts';
import type {
  SkippedCall,
  ToolCallContext,
  ToolPipeline,
  ToolPipelineDeps,
} from './pipeline/pipelineTypes.ts';
import { failedCall, unknownTool } from './pipeline/refusals.ts';

export type {
  SkippedCall,
  ToolCallContext,
  ToolPipeline,
  ToolPipelineDeps,
} from './pipeline/pipelineTypes.ts';

/**
 * The one way a tool is called: find → validate → `before_tool_call` → `beforeToolCall` → validate again → prepare →
 * host rules → one approval → execute → `afterToolResult` → `tool_result_persist` → `after_tool_call` → redact → cap.
 */
export function createToolPipeline(deps: ToolPipelineDeps): ToolPipeline {
  return {
    call: (call, context) => callTool(deps, call, context),
    skip: (call, skipped, context) => skipCall(createCallScope(deps, call, context), skipped),
  };
}

async function callTool(
  deps: ToolPipelineDeps,
  call: ToolCallPart,
  context: ToolCallContext,
): Promise<ToolResultMessage> {
  throwIfAborted(context.signal);
  const scope = createCallScope(deps, call, context);
  const tool = deps.catalog.find(call.name);
  const label =
    tool === undefined
      ? { label: inertLine(call.name, 120), target: '' }
      : labelOfCall(tool, call.arguments, scope.layout);
  context.emit({ type: 'tool_started', call, ...label });
  if (tool === undefined)
    scope.trace({
      kind: 'policy',
      outcome: 'refused',
      reason: 'there is no such tool, or it is hidden here',
    });
  const result = tool === undefined ? unknownTool(deps.catalog, call.name) : await judgeAndRun(scope, tool);
  return await finishCall(scope, result);
}

async function skipCall(scope: CallScope, { result, because }: SkippedCall): Promise<ToolResultMessage> {
  scope.trace({ kind: 'policy', outcome: 'skipped', reason: because });
  return await finishCall(scope, result);
}

async function judgeAndRun(scope: CallScope, tool: AgentTool): Promise<ToolResult> {
  try {
    const judged = await judgeCall(scope, tool);
    return 'refused' in judged ? judged.refused : await execute(scope, tool, judged);
  } catch (error) {
    if (!scope.context.signal.aborted) return failedCall(error);
    // Who audits calls must learn of one that had begun to run.
    if (scope.progress.isExecuted) await observeAfter(scope, undefined);
    throw cancelledError();
  }
}

async function execute(
  scope: CallScope,
  tool: AgentTool,
  { allowed, rejected, consent }: AllowedCall,
): Promise<ToolResult> {
  const { deps, call, context, progress } = scope;
  const { signal } = context;
  const started = deps.clock.monotonic();
  let isRunning = true;
  // A plugin may report on after its call was cancelled.
  const onUpdate = (partial: ToolResult): void => {
    const text = progressText(partial);
    if (isRunning && text !== '') context.emit({ type: 'tool_progress', toolCallId: call.id, text });
  };
  progress.isExecuted = true;
  try {
    return await scope.step('execute', async () => {
      const value: unknown = await raceAbort(allowed.run({ signal, onUpdate, rejected, consent }), signal);
      return normalizeToolResult(tool, value);
    });
  } finally {
    isRunning = false;
    progress.executionMs = deps.clock.monotonic() - started;
  }
}

const maxProgressChars = 2_000;

/** Plugins pass anything here, too. */
function progressText(partial: { readonly content?: unknown }): string {
  const parts: readonly unknown[] = Array.isArray(partial.content) ? partial.content : [];
  const texts = parts.flatMap((part) => (isPart(part) && part.type === 'text' ? [part.text] : []));
  return truncate(texts.join('\n'), maxProgressChars);
}
