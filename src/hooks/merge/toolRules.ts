// Threat: a plugin asks the user about one call and another plugin, or the same one later, changes what will run. So
// parameters are copied on the way in and out, and once a plugin has asked, no other plugin's parameters count.
import type { ApprovalAsk, ApprovalDecision, ApprovalResolution } from '../../contracts/approval.ts';
import { errorMessage } from '../../base/errors.ts';
import { readChoice, readFlag, readList, readObject, readText } from '../../base/untrusted.ts';
import type {
  BeforeToolCallEvent,
  BeforeToolCallOutcome,
  ExecEnv,
  ResolveExecEnvEvent,
} from '../payloads/toolHooks.ts';
import type { MergeRule, RawResult, ResultSource } from '../hookTypes.ts';
import type { HookName } from '../hookMap.ts';

const failedReason = 'Tool call blocked because before_tool_call hook failed';
const defaultReason = 'Tool call blocked by plugin hook';
const decisions: readonly ApprovalDecision[] = ['allow-once', 'allow-always', 'deny'];

/** `before_tool_call`: parameters merged, every approval request kept, the first block ends it. */
export const toolCallRule: MergeRule<BeforeToolCallEvent, BeforeToolCallOutcome> = {
  initial: (event) => ({ params: event.params, asks: [] }),
  fold(outcome, result, source, event) {
    const params = mergeParams(outcome, result, source);
    if (readFlag(result, 'block')) {
      const reason = readText(result, 'blockReason') ?? '';
      return { ...outcome, params, block: { pluginId: source.pluginId, reason: reason || defaultReason } };
    }
    const wish = readObject(result, 'requireApproval');
    if (wish === undefined) return { ...outcome, params };
    return { ...outcome, params, asks: [...outcome.asks, readAsk(wish, source, event.toolName)] };
  },
  view: (event, outcome) => ({ ...event, params: outcome.params }),
  isFinal: (outcome) => outcome.block !== undefined,
  decision(before, after) {
    if (after.block !== undefined) return { kind: 'blocked', reason: after.block.reason };
    const ask = after.asks[before.asks.length];
    return ask === undefined ? undefined : { kind: 'asked', reason: ask.title };
  },
  cutOff(outcome) {
    for (const { onResolution } of outcome.asks) void onResolution?.('cancelled');
  },
  failClosed: (outcome, pluginId, why) => ({
    ...outcome,
    block:
      why === 'skipped'
        ? { pluginId, reason: skippedText(pluginId, 'before_tool_call'), isSkipped: true }
        : { pluginId, reason: failedReason },
  }),
};

function mergeParams(
  outcome: BeforeToolCallOutcome,
  result: RawResult,
  source: ResultSource,
): BeforeToolCallOutcome['params'] {
  const changes = readObject(result, 'params');
  if (changes === undefined) return outcome.params;
  // What a trusted policy says are the parameters, and no change to them.
  if (source.band === 'policy') return changes;
  const asked = outcome.asks.find((ask) => ask.asker !== source.pluginId);
  if (asked === undefined) return { ...outcome.params, ...changes };
  source.note(
    'warn',
    'hook_params_frozen',
    `before_tool_call params from ${source.pluginId} were ignored: ${asked.asker} has already asked for approval of this call.`,
  );
  return outcome.params;
}

function readAsk(wish: RawResult, source: ResultSource, toolName: string): ApprovalAsk {
  const { timeoutMs } = wish;
  const timeoutBehavior = readChoice(wish['timeoutBehavior'], ['allow', 'deny']);
  const allowed = decisions.filter((decision) => readList(wish, 'allowedDecisions').includes(decision));
  const onResolution = wish['onResolution'];
  return {
    asker: source.pluginId,
    title: (readText(wish, 'title') ?? '').trim() || `Run ${toolName}?`,
    description: readText(wish, 'description') ?? '',
    severity: readChoice(wish['severity'], ['info', 'warning', 'critical']) ?? 'warning',
    ...(isPositive(timeoutMs) ? { timeoutMs } : {}),
    ...(timeoutBehavior === undefined ? {} : { timeoutBehavior }),
    ...(allowed.length === 0 ? {} : { allowedDecisions: allowed }),
    ...(isCallback(onResolution) ? { onResolution: guarded(onResolution, source) } : {}),
  };
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

type ResolutionCallback = (resolution: ApprovalResolution) => unknown;

function isCallback(value: unknown): value is ResolutionCallback {
  return typeof value === 'function';
}

/** A plugin's callback whose failures, late ones included, are put down to the plugin. */
function guarded(call: ResolutionCallback, source: ResultSource): ResolutionCallback {
  return async (resolution) => {
    try {
      await call(resolution);
    } catch (error) {
      source.note(
        'warn',
        'hook_resolution_failed',
        `[hooks] onResolution of an approval that ${source.pluginId} asked for failed: ${errorMessage(error)}`,
      );
    }
  };
}

/** `resolve_exec_env`: every variable counts, of two with one name the later. */
export const execEnvRule: MergeRule<ResolveExecEnvEvent, { readonly env: ExecEnv }> = {
  initial: () => ({ env: {} }),
  fold(outcome, result) {
    const odd = Object.keys(result).find((name) => typeof result[name] !== 'string');
    if (odd !== undefined) throw new Error(`"${odd}" must be a text`);
    return { env: { ...outcome.env, ...(result as ExecEnv) } };
  },
  view: (event) => event,
};

/** Why a hook that fails closed has stopped something, where its plugin was not even asked. Pure. */
export function skippedText(pluginId: string, hook: HookName): string {
  return `the plugin ${pluginId} did not return from ${hook} the last two times and is skipped; to try it again, change it or reload it in the Plugins view`;
}
