// Threat: what is told here is read by others than the user, and outlives the turn. So it names plugins, tools and codes, and quotes nothing of
// messages, arguments, results and answers.
import type { Event } from '../../base/event.ts';
import type { Disposable } from '../../base/disposable.ts';
import { inertLine } from '../../base/text.ts';
import type { Log } from '../../host/ports.ts';
import type { DextoPlugin } from '../dextoTypes.ts';
import type { PointFacts } from '../pointFacts.ts';
import {
  notificationsOptions,
  type NotificationEvent,
  type NotificationsOptions,
} from './notificationsOptions.ts';
import { planNotification } from './planNotification.ts';
import { readOptions } from './readOptions.ts';

/** Something that the plugin `notifications` tells. */
export interface PluginNotification {
  readonly event: NotificationEvent;
  readonly level: NonNullable<NotificationsOptions['level']>;
  /** One line. */
  readonly text: string;
  /** True where the agent file asks that people see it. */
  readonly show: boolean;
}

/** What `notifications` hears of and tells. */
export interface NotificationsHost {
  /** What plugins did at the extension points, after each of them. */
  readonly onDidAsk?: Event<PointFacts>;
  readonly log?: Log;
  /** Called with what is told, besides the log. */
  readonly notify?: (notification: PluginNotification) => void;
}

/**
 * Tells that input was blocked or changed, tools failed or were blocked, answers were blocked, changed or cut, or a plugin failed: the third
 * hook of Dexto plugin specification's history. Changes nothing. Failed tools it sees itself; of the rest it hears from the host.
 */
export function createNotifications(host: NotificationsHost): DextoPlugin {
  let options: NotificationsOptions = {};
  let listening: Disposable | undefined;

  const tell = (event: NotificationEvent, text: string, log: Log | undefined): void => {
    const { events, level = 'info', show = false } = options;
    if (events?.includes(event) === false) return;
    const line = inertLine(text, 300);
    log?.write(level, line);
    host.notify?.({ event, level, text: line, show });
  };

  return {
    initialize(config) {
      options = readOptions(notificationsOptions, 'notifications', config);
      listening?.dispose();
      listening = host.onDidAsk?.((facts) => {
        const told = planNotification(facts);
        if (told !== undefined) tell(told.event, told.text, host.log);
      });
    },

    afterToolResult({ toolName, success }, { logger }) {
      // The logger of the call knows session and tenant.
      const log: Log = { write: (level, message) => logger[level](message) };
      if (!success) tell('tool-failed', `Tool ${toolName} failed`, log);
      return { ok: true };
    },

    cleanup() {
      listening?.dispose();
      listening = undefined;
    },
  };
}
