// Threat: a guard judges other arguments than those that run, or a withheld result reaches the model. Dexto's guards come last before
// the arguments are final, and its transforms first once there is a result.
import { isRecord } from '../../base/json.ts';
import type { Params } from '../../contracts/json.ts';
import type { ToolResult } from '../../contracts/tool.ts';
import type { ExtensionPoints, PointCall } from '../../dexto/extensionPoints.ts';
import type { CallScope } from './createCallScope.ts';
import { readPointResult, toPointResult } from './pointResult.ts';
import { withheldByPlugin } from './refusals.ts';

/** What Dexto plugins make of a call before it runs. */
export type PointVerdict =
  /** The same object where nobody changed them; undefined where what they made is no JSON object. */
  | { readonly params: Params | undefined }
  | { readonly block: { readonly pluginId: string; readonly reason: string } };

/** `beforeToolCall`. The tool itself can't be changed. @throws PincerError `cancelled` */
export async function askBeforeToolCall(scope: CallScope, points: ExtensionPoints): Promise<PointVerdict> {
  const { call, context, progress } = scope;
  const { params } = progress;
  const given = { toolName: call.name, args: params, sessionId: context.sessionId, callId: call.id };
  const end = await points.run('beforeToolCall', given, pointCallOf(scope));
  if (end.outcome === 'blocked') return { block: { pluginId: end.pluginId, reason: end.message } };
  const { args } = end.payload;
  return { params: args === params ? params : readArgs(args) };
}

/**
 * `afterToolResult`, for a tool that really ran: once, whether it succeeded or not. Any other result stays as it is.
 * @throws PincerError `cancelled`
 */
export async function transformResult(scope: CallScope, result: ToolResult): Promise<ToolResult> {
  const { deps, call, context, progress } = scope;
  const { points } = deps;
  if (!progress.isExecuted || points?.has('afterToolResult') !== true) return result;
  const payload = {
    toolName: call.name,
    result: toPointResult(result),
    success: result.isError !== true,
    sessionId: context.sessionId,
    callId: call.id,
  };
  const end = await scope.step('afterToolResult', () =>
    points.run('afterToolResult', payload, pointCallOf(scope)),
  );
  if (end.outcome === 'blocked') return withheldByPlugin({ pluginId: end.pluginId, reason: end.message });
  const read = readPointResult(end.payload.result, result);
  return end.payload.success ? read : { ...read, isError: true };
}

function pointCallOf({ call, context }: CallScope): PointCall {
  const { runId, sessionId, sessionKey, agentId, model, settings, tenant, signal } = context;
  return {
    runId,
    sessionId,
    sessionKey,
    agentId,
    model,
    toolName: call.name,
    toolCallId: call.id,
    signal,
    ...(settings === undefined ? {} : { settings }),
    ...(tenant === undefined ? {} : { tenant }),
  };
}

/** A copy that is JSON and nothing else: what is judged from here on, shown, hashed and run. */
function readArgs(args: unknown): Params | undefined {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(args));
    return isRecord(copy) ? copy : undefined;
  } catch {
    // A cycle, a number without end, or nothing at all.
    return undefined;
  }
}
