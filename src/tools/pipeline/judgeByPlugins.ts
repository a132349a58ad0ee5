// Threat: a guard is asked about other parameters than those that run, or one that failed is taken for one that agreed. Each guard sees
// what the ones before it left, the last one what will run, and whoever asked for approval is told where the call ends before it.
import type { ApprovalAsk } from '../../contracts/approval.ts';
import type { Params } from '../../contracts/json.ts';
import type { AgentTool, ToolResult } from '../../contracts/tool.ts';
import { findChanges } from '../../hooks/findChanges.ts';
import type {
  BeforeToolCallEvent,
  BeforeToolCallOutcome,
  HookBlock,
} from '../../hooks/payloads/toolHooks.ts';
import type { Stage } from '../../hooks/hookRunner.ts';
import type { CallScope } from './createCallScope.ts';
import { askBeforeToolCall } from './pointsOfCall.ts';
import { blockedByPlugin, invalidParams } from './refusals.ts';

/** What plugins made of a call: whoever asks for approval, or the result that says why it may not run. */
export type PluginVerdict = { readonly asks: readonly ApprovalAsk[] } | { readonly refused: ToolResult };

/**
 * Trusted policies, then `before_tool_call`, then Dexto's `beforeToolCall`. The parameters they leave are in the
 * scope's progress, not checked yet.
 * @throws PincerError `cancelled`
 */
export async function judgeByPlugins(scope: CallScope, tool: AgentTool): Promise<PluginVerdict> {
  const asked = await askHooks(scope, tool);
  return 'refused' in asked ? asked : await askPoints(scope, tool, asked.asks);
}

/**
 * The host's trusted policies, then `before_tool_call`: each may change the parameters, block, or ask for approval. One that
 * fails blocks.
 */
async function askHooks(scope: CallScope, tool: AgentTool): Promise<PluginVerdict> {
  const { deps, context, hookContext, progress, step } = scope;
  const { hooks } = deps;
  const fire = (stage: Stage): Promise<BeforeToolCallOutcome> =>
    hooks.modify('before_tool_call', eventOf(scope, tool), hookContext, context.signal, { stage });
  const judged: BeforeToolCallOutcome = hooks.has('before_tool_call', 'policies')
    ? await step('trusted_policies', () => fire('policies'))
    : { params: progress.params, asks: [] };
  tracePolicies(scope, judged);
  progress.params = judged.params;
  if (judged.block !== undefined) return refuse(scope, judged.asks, judged.block);
  if (!hooks.has('before_tool_call', 'plugins')) return { asks: judged.asks };
  const outcome = await step('before_tool_call', () => orWithdraw(scope, fire('plugins'), judged.asks));
  progress.params = structuredClone(outcome.params);
  const asks = [...judged.asks, ...outcome.asks];
  return outcome.block === undefined ? { asks } : refuse(scope, asks, outcome.block);
}

/** Dexto plugins have the last word on the parameters; who asked before keeps its question, which says so. */
async function askPoints(
  scope: CallScope,
  tool: AgentTool,
  asks: readonly ApprovalAsk[],
): Promise<PluginVerdict> {
  const { deps, progress, step } = scope;
  const { points } = deps;
  if (points?.has('beforeToolCall') !== true) return { asks };
  const verdict = await step('beforeToolCall', () =>
    orWithdraw(scope, askBeforeToolCall(scope, points), asks),
  );
  if ('block' in verdict) return refuse(scope, asks, verdict.block);
  if (verdict.params === undefined) return refuseParams(scope, tool, asks, ['they are no JSON object']);
  const before = progress.params;
  progress.params = verdict.params;
  return { asks: asks.map((ask) => markChanged(ask, before, progress.params)) };
}

/** The mark leads: the end of a description may be cut. */
function markChanged(ask: ApprovalAsk, before: Params, after: Params): ApprovalAsk {
  const names = findChanges(before, after, true).map(({ path }) => path.split(/[.[]/u, 1)[0] ?? path);
  if (names.length === 0) return ask;
  const changed = [...new Set(names)].join(', ');
  return { ...ask, description: `Changed since this was asked: ${changed}. ${ask.description}` };
}

/** What `work` gives; where it fails, whoever has asked before is told that it was cancelled. */
async function orWithdraw<T>(
  { deps }: CallScope,
  work: Promise<T>,
  asks: readonly ApprovalAsk[],
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    deps.approvals.withdraw(asks);
    throw error;
  }
}

/** What trusted policies did; that they were asked and said nothing is no line. */
function tracePolicies({ progress, trace }: CallScope, judged: BeforeToolCallOutcome): void {
  const changes = findChanges({ params: progress.params }, { params: judged.params }, false);
  if (changes.length > 0) trace({ kind: 'policy', outcome: 'changed', changes });
  for (const { asker, title } of judged.asks)
    trace({ kind: 'policy', pluginId: asker, outcome: 'asked', reason: title });
  if (judged.block === undefined) return;
  const { pluginId, reason } = judged.block;
  trace({ kind: 'policy', pluginId, outcome: 'refused', reason });
}

function eventOf({ call, context, progress }: CallScope, tool: AgentTool): BeforeToolCallEvent {
  const derivedPaths = tool.derivedPaths?.(progress.params) ?? [];
  return {
    toolName: tool.name,
    params: progress.params,
    runId: context.runId,
    toolCallId: call.id,
    ...(derivedPaths.length === 0 ? {} : { derivedPaths }),
  };
}

/** A block counts even where others asked; whoever asked is told. */
function refuse(
  { deps }: CallScope,
  asks: readonly ApprovalAsk[],
  block: HookBlock,
): { readonly refused: ToolResult } {
  deps.approvals.withdraw(asks);
  return { refused: blockedByPlugin(block) };
}

/** A plugin made parameters that the tool can't take. */
export function refuseParams(
  { deps, trace }: CallScope,
  tool: AgentTool,
  asks: readonly ApprovalAsk[],
  faults: readonly string[],
): { readonly refused: ToolResult } {
  deps.approvals.withdraw(asks);
  trace({
    kind: 'policy',
    outcome: 'refused',
    reason: 'the parameters are not valid after a plugin changed them',
  });
  return { refused: invalidParams(tool, faults, true) };
}
