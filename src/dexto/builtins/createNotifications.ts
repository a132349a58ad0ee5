// Threat: what is told here is read by others than the user, and outlives the turn. So it names plugins, tools and codes, and quotes nothing of
// messages, arguments, results and answers.
import type { Event } from '../../base/event.ts';
import type { Disposable } from '../../base/disposable.ts';
import { inertLine } from '../../base/text.ts';
import type { Log } from '../../host/ports.ts';
import type { DextoPlugin, ExtensionPoint } from '../dextoTypes.ts';
import type { PointFacts } from '../pointFacts.ts';
import {
  notificationsOptions,
  type NotificationEvent,
  type NotificationsOptions,
} from './notificationsOptions.ts';
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

interface NotificationText {
  readonly event: NotificationEvent;
  readonly text: string;
}

/** What there is to tell of one plugin at one extension point; undefined for nothing. Quotes nothing that it saw. Pure. */
function planNotification(facts: PointFacts): NotificationText | undefined {
  const { point, pluginId, outcome } = facts;
  const who = `plugin ${pluginId}${codesOf(facts)}`;
  if (outcome === 'failed' || outcome === 'timed-out') {
    const what = outcome === 'failed' ? 'failed' : 'took too long';
    return { event: 'plugin-failed', text: `Dexto plugin ${pluginId} ${what} at ${point}` };
  }
  if (outcome === 'blocked') {
    const subject =
      point === 'beforeToolCall' && facts.toolName !== undefined ? `Tool ${facts.toolName}` : subjects[point];
    return { event: blocked[point], text: `${subject} was blocked by ${who}` };
  }
  if (outcome !== 'changed') return undefined;
  if (point === 'beforeLLMRequest') return { event: 'input-changed', text: `Input was changed by ${who}` };
  if (point !== 'beforeResponse') return undefined;
  const isCut = facts.notices?.some(({ code }) => code === 'RESPONSE_TRUNCATED') === true;
  return isCut
    ? { event: 'answer-cut', text: `An answer was cut by ${who}` }
    : { event: 'answer-changed', text: `An answer was changed by ${who}` };
}

const subjects: Readonly<Record<ExtensionPoint, string>> = {
  beforeLLMRequest: 'Input',
  beforeToolCall: 'A tool call',
  afterToolResult: 'A tool result',
  beforeResponse: 'An answer',
};

const blocked: Readonly<Record<ExtensionPoint, NotificationEvent>> = {
  beforeLLMRequest: 'input-blocked',
  beforeToolCall: 'tool-blocked',
  afterToolResult: 'tool-blocked',
  beforeResponse: 'answer-blocked',
};

function codesOf({ notices = [] }: Pick<PointFacts, 'notices'>): string {
  const codes = [...new Set(notices.flatMap(({ code }) => (code === undefined ? [] : [code])))];
  return codes.length === 0 ? '' : ` (${codes.join(', ')})`;
}
