import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { isThenable, ownPromise } from '../../base/untrusted.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { HandlerFailure, HookRegistration } from '../../hooks/hookRegistration.ts';
import type { RawResult } from '../../hooks/hookTypes.ts';
import type { ToolHookContext } from '../../hooks/payloads/hookContexts.ts';
import type { BeforeToolCallEvent } from '../../hooks/payloads/toolHooks.ts';
import { policyTaken } from '../listed/findCollisions.ts';
import type { ToolPolicyRegistration } from '../register/registrations.ts';
import { errorDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { isNameList } from './registerHooks.ts';
import { refuseRegistration } from './refuseRegistration.ts';

/**
 * `api.registerTrustedToolPolicy`. Threat: such a policy judges before every guard and replaces parameters, so a plugin
 * that came from anywhere else than the program itself can't have one. Messages are upstream's.
 */
export function registerToolPolicy(parts: PluginApiParts, policy: unknown): void {
  if (parts.candidate.origin !== 'bundled') {
    refuseRegistration(parts, 'only bundled plugins can register trusted tool policies');
    return;
  }
  const { id, description, evaluate, matcher } = isRecord(policy) ? policy : {};
  if (!isText(id) || !isText(description) || typeof evaluate !== 'function') {
    refuseRegistration(parts, 'trusted tool policy registration requires id, description, and evaluate()');
    return;
  }
  if (matcher !== undefined && !isNameList(matcher)) {
    refuseRegistration(parts, 'trusted tool policy matcher must be a non-empty list of exact tool names');
    return;
  }
  const { policies } = parts.registrations;
  if (policies.some((each) => each.id === id.trim())) {
    refuseRegistration(parts, policyTaken(id.trim(), parts.manifest.id));
    return;
  }
  const judge: ToolPolicyRegistration['evaluate'] = (event, context) =>
    Reflect.apply(evaluate, policy, [event, context]) as unknown;
  const scope = matcher === undefined ? {} : { only: [...matcher] };
  policies.push({ id: id.trim(), description: description.trim(), evaluate: judge, ...scope });
}

const timeoutMs = 15_000;

/** A policy as a handler of `before_tool_call` that comes before all others, and closes where it fails. */
export function policyHandler(
  pluginId: string,
  { id, evaluate, only }: ToolPolicyRegistration,
  report: (diagnostic: Diagnostic) => void,
): HookRegistration {
  const handler = (
    { context: _room, ...event }: BeforeToolCallEvent & { readonly context?: undefined },
    context: ToolHookContext,
  ): unknown => {
    const said = evaluate(event, { ...context });
    const read = (verdict: unknown): RawResult | undefined => readVerdict(id, verdict);
    return isThenable(said) ? ownPromise(said).then(read) : read(said);
  };
  return {
    hook: 'before_tool_call',
    pluginId,
    isAdapter: true,
    band: 'policy',
    priority: 0,
    timeoutMs,
    ...(only === undefined
      ? {}
      : { matches: ({ toolName }: BeforeToolCallEvent) => only.includes(toolName) }),
    handler,
    onFailure(failure) {
      const message = `trusted tool policy ${id} of plugin ${pluginId} failed: ${whyFailed(failure)}`;
      report(errorDiagnostic('plugin_policy_failed', message, { pluginId }));
      return { block: true, blockReason: `Tool call blocked because trusted tool policy ${id} failed` };
    },
    // What policies did is told of their stage, not of each.
    ended: () => undefined,
  };
}

function whyFailed(failure: HandlerFailure): string {
  return failure.status === 'timed-out' ? `timed out after ${timeoutMs}ms` : errorMessage(failure.error);
}

/** A hook's result, or upstream's short form `{ allow: false, reason }` as one. @throws Error where it is neither */
function readVerdict(id: string, verdict: unknown): RawResult | undefined {
  if (verdict == null) return undefined;
  if (!isRecord(verdict)) throw new Error('its decision must be an object');
  const { params, allow, reason, block, blockReason, requireApproval } = verdict;
  if (params !== undefined && !isRecord(params)) throw new Error('params must be an object');
  if (allow !== undefined && typeof allow !== 'boolean') throw new Error('allow must be true or false');
  const hookResult = { params, block, blockReason, requireApproval };
  if (allow !== false) return hookResult;
  const why = typeof reason === 'string' && reason !== '' ? reason : `blocked by ${id}`;
  return { ...hookResult, block: true, blockReason: why };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
