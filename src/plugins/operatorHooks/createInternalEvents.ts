// Threat: handlers are strangers to each other. One that throws, hangs, or leaves rubbish in the event must not reach the
// others, and none may read the `env` of another. So each gets an event of its own, and what it leaves is carried over.
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { isThenable } from '../../base/untrusted.ts';
import type { Clock } from '../../host/ports.ts';
import { errorDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import { withDeadline } from '../withDeadline.ts';
import type { InternalEventType } from './internalEventCatalog.ts';
import { readTexts } from './readTexts.ts';

/** What a handler gets (upstream's shape). */
export interface InternalEvent {
  readonly type: InternalEventType;
  readonly action: string;
  /** Empty where the event belongs to no session. */
  readonly sessionKey: string;
  readonly timestamp: Date;
  /** Texts for the user; a handler pushes its own and sees those of the handlers before it. */
  messages: string[];
  /** Facts of the event; `env` is the handler's own, from its entry in the config. What a handler changes, later ones see. */
  context: Record<string, unknown>;
}

/** One handler and the events it listens to. */
export interface InternalListener {
  readonly name: string;
  /** `type` or `type:action`. */
  readonly events: readonly string[];
  readonly handler: (event: never) => unknown;
  /** The plugin that registered it; absent for a hook of its own. */
  readonly pluginId?: string;
  /** Absolute path of its code. */
  readonly source?: string;
  /** Settings by name, for this handler's eyes only. */
  readonly env?: Readonly<Record<string, string>>;
  /** Gets its failures instead of the registry's `report`. */
  readonly report?: (diagnostic: Diagnostic) => void;
}

/** Who brings listeners; within one event those of hooks come before those of plugins, as upstream. */
export type ListenerGroup = 'hooks' | 'plugins';

export interface InternalEventFacts {
  /** Default: no session. */
  readonly sessionKey?: string;
  /** The emitter's own object: what handlers change in it is there when `emit` resolves. */
  readonly context?: Record<string, unknown>;
}

/** Internal events: who listens, and telling them. */
export interface InternalEvents {
  /** False where an emit would reach nobody; ask before gathering a context. */
  has(type: InternalEventType, action: string): boolean;
  /**
   * Calls the handlers one after the other: those of the type, then those of `type:action`, each in the order of
   * registration; a handler of both is called twice, as upstream. Never rejects: a handler that throws or takes longer than
   * 30 s is reported and the next one is called. Resolves with the texts that handlers have pushed: without hidden
   * characters, cut to size; a surface that shows Markdown still has to escape them.
   */
  emit(type: InternalEventType, action: string, facts?: InternalEventFacts): Promise<readonly string[]>;
  /** Replaces all listeners of a group. Events that are on their way finish with the old ones. */
  setListeners(group: ListenerGroup, listeners: readonly InternalListener[]): void;
}

export interface InternalEventsParts {
  readonly clock: Clock;
  readonly report: (diagnostic: Diagnostic) => void;
}

const patienceMs = 30_000;
const nobody: readonly InternalListener[] = [];
const noTexts: Promise<readonly string[]> = Promise.resolve([]);

export function createInternalEvents({ clock, report }: InternalEventsParts): InternalEvents {
  const groups: Record<ListenerGroup, readonly InternalListener[]> = { hooks: [], plugins: [] };
  let byKey: ReadonlyMap<string, readonly InternalListener[]> = new Map();

  const listenersOf = (type: InternalEventType, action: string): readonly InternalListener[] => {
    if (byKey.size === 0) return nobody;
    const general = byKey.get(type) ?? nobody;
    const specific = byKey.get(`${type}:${action}`) ?? nobody;
    return general.length === 0 ? specific : [...general, ...specific];
  };

  return {
    has: (type, action) => byKey.size > 0 && (byKey.has(type) || byKey.has(`${type}:${action}`)),
    emit(type, action, facts = {}) {
      const listeners = listenersOf(type, action);
      if (listeners.length === 0) return noTexts;
      return tell(listeners, { clock, report, type, action, ...facts });
    },
    setListeners(group, listeners) {
      groups[group] = listeners;
      byKey = index([...groups.hooks, ...groups.plugins]);
    },
  };
}

function index(listeners: readonly InternalListener[]): ReadonlyMap<string, readonly InternalListener[]> {
  const byKey = new Map<string, InternalListener[]>();
  for (const listener of listeners) {
    for (const event of new Set(listener.events)) {
      const known = byKey.get(event);
      if (known === undefined) byKey.set(event, [listener]);
      else known.push(listener);
    }
  }
  return byKey;
}

interface Emission extends InternalEventsParts, InternalEventFacts {
  readonly type: InternalEventType;
  readonly action: string;
}

async function tell(
  listeners: readonly InternalListener[],
  { clock, type, action, sessionKey = '', context = {}, ...parts }: Emission,
): Promise<readonly string[]> {
  const now = clock.now();
  let texts: readonly string[] = [];
  for (const listener of listeners) {
    const report = listener.report ?? parts.report;
    const { env } = listener;
    const event: InternalEvent = {
      type,
      action,
      sessionKey,
      timestamp: new Date(now),
      messages: [...texts],
      context: env === undefined ? { ...context } : { ...context, env: { ...env } },
    };
    try {
      await call(listener, event, clock);
    } catch (error) {
      report(failureOf(listener, { type, action }, error));
    }
    const left = takeOver(event, {
      context,
      texts,
      hasEnv: env !== undefined,
      quotesUser: quotesUser(type),
    });
    texts = left.texts;
    if (left.problem !== undefined) {
      const message = `${ownerOf(listener)} left ${left.problem} in event ${type}:${action}; it is ignored`;
      report(warnDiagnostic('hook_event_damaged', message, subjectOf(listener)));
    }
  }
  return texts;
}

async function call(listener: InternalListener, event: InternalEvent, clock: Clock): Promise<void> {
  const returned = Reflect.apply(listener.handler, undefined, [event]) as unknown;
  if (isThenable(returned)) await withDeadline(returned, patienceMs, clock);
}

/** Reads what a handler left behind; from here on nothing it does to its event is seen. */
function takeOver(
  event: InternalEvent,
  before: {
    readonly context: Record<string, unknown>;
    readonly texts: readonly string[];
    readonly hasEnv: boolean;
    readonly quotesUser: boolean;
  },
): { readonly texts: readonly string[]; readonly problem?: string } {
  try {
    const { context } = event as { readonly context: unknown };
    const read = readTexts(event.messages, before.texts);
    if (!isRecord(context)) return { texts: read.texts, problem: 'no context' };
    const fields = { ...context };
    if (before.hasEnv) Reflect.deleteProperty(fields, 'env');
    replaceFields(before.context, fields);
    return read;
  } catch (error) {
    return {
      texts: before.texts,
      problem: `an unreadable event${before.quotesUser ? '' : ` (${errorMessage(error)})`}`,
    };
  }
}

/** Makes `target` hold just these fields; one named `__proto__` becomes a field like any other. */
function replaceFields(target: Record<string, unknown>, fields: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(target)) Reflect.deleteProperty(target, key);
  for (const [key, value] of Object.entries(fields)) {
    Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
  }
}

function failureOf(
  listener: InternalListener,
  { type, action }: Pick<InternalEvent, 'type' | 'action'>,
  error: unknown,
): Diagnostic {
  const timedOut = error instanceof PincerError && error.code === 'plugin_timed_out';
  const code = timedOut ? 'hook_timed_out' : 'hook_failed';
  const why =
    quotesUser(type) && !timedOut
      ? '; its error text is not shown because it may quote the user'
      : `: ${errorMessage(error)}`;
  const message = `${ownerOf(listener)} failed at ${type}:${action}${why}`;
  return errorDiagnostic(code, message, subjectOf(listener));
}

/** Messages are told of before a gate has judged them, so not even an error text may be written down. */
function quotesUser(type: InternalEventType): boolean {
  return type === 'message';
}

function ownerOf({ name, pluginId }: InternalListener): string {
  return pluginId === undefined ? `hook "${name}"` : `hook "${name}" of plugin ${pluginId}`;
}

function subjectOf({ pluginId, source }: InternalListener): {
  readonly pluginId?: string;
  readonly source?: string;
} {
  return {
    ...(pluginId === undefined ? {} : { pluginId }),
    ...(source === undefined ? {} : { source }),
  };
}
