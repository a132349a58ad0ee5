import { PincerError } from '../base/errors.ts';

export function jobUnknown(id: string): PincerError {
  return new PincerError('job_unknown', `There is no scheduled job ${id}.`, {
    hint: 'The Schedule view and pincer cron list show those of this workspace.',
  });
}

export function jobInvalid(problem: string): PincerError {
  return new PincerError('job_invalid', `The job can't be scheduled: ${problem}.`, {
    hint: 'Name a time (tomorrow at 9, 2026-12-01T09:00, 20m), an interval (every 30m, every weekday at 9), or a cron expression (0 9 * * 1-5).',
  });
}

export function jobTooMany(max: number, whose: string): PincerError {
  return new PincerError('job_too_many', `There are already ${String(max)} scheduled jobs ${whose}.`, {
    hint: 'Remove one first, in the Schedule view or by pincer cron remove.',
  });
}

export function jobFixed(id: string): PincerError {
  return new PincerError('job_fixed', `The job ${id} comes from your config and can't be changed here.`, {
    hint: 'Change schedule.heartbeat in your config.',
  });
}

export function jobRunning(name: string): PincerError {
  return new PincerError('job_running', `The job "${name}" runs already.`, {
    hint: 'Wait for its end, or stop its turn in the Sessions view.',
  });
}

export function scheduleOff(why: string): PincerError {
  return new PincerError('schedule_off', `No job can run: ${why}.`, {
    hint: 'Trust the workspace, and leave schedule.enabled of your config on.',
  });
}

export function jobsDenied(pluginId: string): PincerError {
  return new PincerError(
    'plugin_schedule_denied',
    `Plugin ${pluginId} wants to schedule turns of the agent, and may not lead conversations.`,
    { hint: `Set plugins.entries.${pluginId}.hooks.allowConversationAccess=true where you trust it.` },
  );
}

export function jobSessionGone(name: string): PincerError {
  return new PincerError('job_session_gone', `The session that the job "${name}" goes on with is gone.`, {
    hint: 'Remove the job, or add it anew.',
  });
}

export function jobPluginGone(pluginId: string): PincerError {
  return new PincerError(
    'job_plugin_gone',
    `Plugin ${pluginId}, which added the job, is not loaded or may not lead conversations.`,
    { hint: 'Enable the plugin, or remove its job.' },
  );
}
