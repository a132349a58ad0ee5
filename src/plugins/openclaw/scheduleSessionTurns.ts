import type { CronService, SchedulingPlugin } from '../../schedule/pluginSchedule.ts';
import { warnDiagnostic } from '../pluginDiagnostics.ts';
import { conversationAccess } from './conversationAccess.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import type { ApiRuntimeParts } from './runtime/createApiRuntime.ts';

/** The plugin as the schedule knows it. */
function schedulingPlugin(parts: PluginApiParts): SchedulingPlugin {
  const { mayConverse, refusedConversation } = conversationAccess(parts);
  return { pluginId: parts.manifest.id, mayConverse, refused: refusedConversation };
}

/** The schedule as far as the plugin may reach it, for contexts; nothing where there is none. */
export function cronOf(parts: PluginApiParts): { readonly getCron?: () => CronService } {
  const { schedule } = parts;
  return schedule === undefined ? {} : { getCron: () => schedule.cron(schedulingPlugin(parts)) };
}

/**
 * `api.session.workflow.scheduleSessionTurn`: a turn of a session at a later time. Undefined where there is no such session.
 * @throws PincerError `plugin_schedule_denied`, `job_invalid`, `job_too_many`
 */
export async function scheduleSessionTurn(parts: PluginApiParts, params: unknown): Promise<unknown> {
  return await parts.schedule?.scheduleTurn(schedulingPlugin(parts), params);
}

/** `api.session.workflow.unscheduleSessionTurnsByTag`. */
export async function unscheduleSessionTurnsByTag(parts: PluginApiParts, params: unknown): Promise<unknown> {
  const none = { removed: 0, failed: 0 };
  return (await parts.schedule?.unscheduleByTag(schedulingPlugin(parts), params)) ?? none;
}

/** `api.runtime.system.requestHeartbeatNow` and its newer name, and `runHeartbeatOnce`. */
export function heartbeatPort(parts: PluginApiParts): ApiRuntimeParts['heartbeat'] {
  const { schedule } = parts;
  const missing = 'there is no schedule here';
  /** Upstream gives callers no answer: what keeps a heartbeat from beginning is a diagnostic. */
  const request = (): void => {
    parts.assertLoaded('runtime.system.requestHeartbeat');
    const asked = schedule?.requestHeartbeat(schedulingPlugin(parts)) ?? Promise.resolve(missing);
    void asked.then((reason) => {
      const { registrations, manifest, registered } = parts;
      const message = `no heartbeat turn began: ${reason ?? ''}`;
      if (reason === undefined || registrations.diagnostics.some((each) => each.message === message)) return;
      registrations.diagnostics.push(
        warnDiagnostic('plugin_heartbeat_refused', message, { pluginId: manifest.id }),
      );
      registered();
    });
  };
  return {
    request,
    runOnce: async () => {
      parts.assertLoaded('runtime.system.runHeartbeatOnce');
      return (
        (await schedule?.runHeartbeat(schedulingPlugin(parts))) ?? { status: 'skipped', reason: missing }
      );
    },
  };
}
