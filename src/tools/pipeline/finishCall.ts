import type { ToolResultMessage } from '../../contracts/message.ts';
import type { ToolResult } from '../../contracts/tool.ts';
import { capResult } from './capResult.ts';
import type { CallScope } from './createCallScope.ts';
import { isPart } from './normalizeToolResult.ts';
import { transformResult } from './pointsOfCall.ts';

/** Everything after a tool ran or was refused: what plugins make of the result, and what is stored. */
export async function finishCall(scope: CallScope, given: ToolResult): Promise<ToolResultMessage> {
  const { deps, call, context } = scope;
  const result = await transformOrTell(scope, given);
  const made: ToolResultMessage = {
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: result.content,
    ...(result.details === undefined ? {} : { details: result.details }),
    isError: result.isError === true,
    timestamp: deps.clock.now(),
  };
  const persisted = await persist(scope, made);
  await observeAfter(scope, result);
  const message = await scope.step('finish', () =>
    capResult(deps.redact?.(persisted) ?? persisted, deps.maxResultChars),
  );
  context.emit({ type: 'tool_ended', call, result: message });
  return message;
}

/** Who audits calls must learn of one that ran, even where the turn is cancelled meanwhile. */
async function transformOrTell(scope: CallScope, given: ToolResult): Promise<ToolResult> {
  try {
    return await transformResult(scope, given);
  } catch (error) {
    await observeAfter(scope, undefined);
    throw error;
  }
}

/** `tool_result_persist` may change what is stored; it can't make it the result of another call. */
async function persist(scope: CallScope, made: ToolResultMessage): Promise<ToolResultMessage> {
  const { deps, call, context, progress } = scope;
  if (!deps.hooks.has('tool_result_persist')) return made;
  const event = {
    message: made,
    toolName: call.name,
    toolCallId: call.id,
    isSynthetic: !progress.isExecuted,
  };
  const { agentId, sessionKey } = context;
  const { message } = await scope.step('tool_result_persist', () =>
    deps.hooks.sync('tool_result_persist', event, {
      agentId,
      sessionKey,
      toolName: call.name,
      toolCallId: call.id,
    }),
  );
  const content: readonly unknown[] = Array.isArray(message.content) ? message.content : [];
  if (message.role !== 'toolResult' || content.length === 0 || !content.every(isPart)) {
    deps.log.write(
      'warn',
      `[hooks] what tool_result_persist made of the result of ${call.name} is no tool result; it was ignored`,
    );
    return made;
  }
  const { details: _made, ...rest } = made;
  return {
    ...rest,
    content,
    ...(message.details === undefined ? {} : { details: message.details }),
    isError: message.isError,
  };
}

/** `after_tool_call` sees the result as the tool gave it and Dexto plugins left it. It is started in order, and nobody waits for it. */
export async function observeAfter(
  { deps, call, context, hookContext, progress, step }: CallScope,
  result: ToolResult | undefined,
): Promise<void> {
  if (!deps.hooks.has('after_tool_call')) return;
  const text = result?.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const event = {
    toolName: call.name,
    params: progress.params,
    ...(result === undefined ? { error: 'cancelled' } : { result }),
    ...(result?.isError === true ? { error: text ?? '' } : {}),
    durationMs: progress.executionMs,
    runId: context.runId,
    toolCallId: call.id,
    ...(progress.approval === undefined ? {} : { approval: progress.approval }),
  };
  await step('after_tool_call', () => {
    const observers = deps.hooks.observe('after_tool_call', event, hookContext);
    if (context.inBackground === undefined) void observers;
    else context.inBackground(observers);
  });
}
