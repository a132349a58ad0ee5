import { isRecord } from '../../base/json.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { toolCallRule } from '../../hooks/merge/toolCallRule.ts';
import type { BeforeToolCallEvent } from '../../hooks/payloads/toolHooks.ts';
import type { Clock } from '../../host/ports.ts';
import type { PolicyVerdict, TrustedPolicy } from '../../tools/pipeline/judgeByPolicies.ts';
import { errorDiagnostic } from '../pluginDiagnostics.ts';
import type { ToolPolicyRegistration } from '../register/registrations.ts';
import { withDeadline } from '../withDeadline.ts';

const patienceMs = 15_000;

/** A policy of a plugin as the pipeline asks it: bounded in time, checked, and closed where it fails. */
export function toTrustedPolicy(
  pluginId: string,
  { id, evaluate }: ToolPolicyRegistration,
  clock: Clock,
  report: (diagnostic: Diagnostic) => void,
): TrustedPolicy {
  return {
    id,
    pluginId,
    async judge(event, context) {
      try {
        const said = await withDeadline(Promise.resolve(evaluate(event, context)), patienceMs, clock);
        return readVerdict(said, { id, pluginId }, event, report);
      } catch (error) {
        const message = `trusted tool policy ${id} of plugin ${pluginId} failed: ${errorMessage(error)}`;
        report(errorDiagnostic('plugin_policy_failed', message, { pluginId }));
        return { blockReason: `Tool call blocked because trusted tool policy ${id} failed` };
      }
    },
  };
}

/** Either a hook's result or upstream's short form `{ allow: false, reason }`. @throws Error where it is neither */
function readVerdict(
  said: unknown,
  { id, pluginId }: { readonly id: string; readonly pluginId: string },
  event: BeforeToolCallEvent,
  report: (diagnostic: Diagnostic) => void,
): PolicyVerdict {
  if (said == null) return {};
  if (!isRecord(said)) throw new Error('its decision must be an object');
  const { params, allow, reason, ...result } = said;
  if (params !== undefined && !isRecord(params)) throw new Error('params must be an object');
  if (allow !== undefined && typeof allow !== 'boolean') throw new Error('allow must be true or false');
  const source = {
    pluginId,
    note: (level: Diagnostic['level'], code: string, message: string) =>
      report({ level, code, message, pluginId }),
  };
  const { block, asks } = toolCallRule.fold(toolCallRule.initial(event), result, source, event);
  const denied =
    allow === false ? (typeof reason === 'string' && reason !== '' ? reason : `blocked by ${id}`) : undefined;
  const blockReason = denied ?? block?.reason;
  return {
    ...(params === undefined ? {} : { params }),
    ...(blockReason === undefined ? {} : { blockReason }),
    ...(asks[0] === undefined ? {} : { ask: asks[0] }),
  };
}
