// Threat: handlers are strangers to each other. One that throws, hangs, or leaves rubbish in the event must not reach the
// others, and none may read the `env` of another. So each gets an event of its own, and what it leaves is carried over. What they push
// is shown to the user: it may hold no control or hidden characters, and not fill the screen.
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import { copyData, isThenable, ownPromise } from '../../base/untrusted.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Clock } from '../../host/ports.ts';
import {
  createHookRegistry,
  createHookRunner,
  type HookRegistry,
  type HookRunner,
} from '../../hooks/hookRunner.ts';
import type { CallSignal, HandlerFailure, HookRegistration } from '../../hooks/hookRegistration.ts';
import type {
  InternalEvent,
  InternalEventType,
  InternalOutcome,
} from '../../hooks/payloads/internalHooks.ts';
import { errorDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';

export type { InternalEvent } from '../../hooks/payloads/internalHooks.ts';

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
type ListenerGroup = 'hooks' | 'plugins';

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

interface InternalEventsParts {
  readonly clock: Clock;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Where the listeners are registered, and who calls them; default: ones of their own. */
  readonly hooks?: { readonly registry: HookRegistry; readonly runner: HookRunner };
}

const timeoutMs = 30_000;
const noTexts: Promise<readonly string[]> = Promise.resolve([]);

/** Internal events over the hook runner. */
export function createInternalEvents(parts: InternalEventsParts): InternalEvents {
  const { clock, report } = parts;
  const { registry, runner } = parts.hooks ?? ownHooks(parts);
  const groups: Record<ListenerGroup, readonly InternalListener[]> = { hooks: [], plugins: [] };
  let registered = registry.registerAll([]);
  let keys: ReadonlySet<string> = new Set();

  const has = (type: InternalEventType, action: string): boolean =>
    keys.size > 0 && (keys.has(type) || keys.has(`${type}:${action}`));

  const tell = async (event: InternalEvent): Promise<readonly string[]> => {
    const { sessionKey, context } = event;
    const left = await runner.modify('internal_event', event, { sessionKey });
    if (left.context !== context) replaceFields(context, left.context);
    return left.messages;
  };

  return {
    has,
    emit(type, action, { sessionKey = '', context = {} } = {}) {
      if (!has(type, action)) return noTexts;
      const timestamp = new Date(clock.now());
      return tell({ type, action, sessionKey, timestamp, messages: [], context });
    },
    setListeners(group, listeners) {
      groups[group] = listeners;
      registered.dispose();
      const all = [
        ...groups.hooks.map((listener) => ({ listener, priority: 1 })),
        ...groups.plugins.map((listener) => ({ listener, priority: 0 })),
      ];
      registered = registry.registerAll(
        all.flatMap(({ listener, priority }) => handlersOf(listener, priority, report)),
      );
      keys = new Set(all.flatMap(({ listener }) => listener.events));
    },
  };
}

function ownHooks({ clock, report }: InternalEventsParts): NonNullable<InternalEventsParts['hooks']> {
  const registry = createHookRegistry();
  return { registry, runner: createHookRunner({ registry, clock, report }) };
}

/** A handler for each key that a listener names; those of a whole type come first. */
function handlersOf(
  listener: InternalListener,
  priority: number,
  reportUnowned: (diagnostic: Diagnostic) => void,
): readonly HookRegistration[] {
  const { name, pluginId = name, report = reportUnowned } = listener;
  const calls = new WeakMap<CallSignal, GoingCall>();
  const takeOver = (signal: CallSignal): Partial<InternalOutcome> | undefined => {
    const call = calls.get(signal);
    // What comes after its time is over is seen by nobody.
    if (!calls.delete(signal) || call === undefined) return undefined;
    const { problem, ...left } = readLeft(listener, call);
    if (problem !== undefined) {
      const message = `${ownerOf(listener)} left ${problem} in event ${keyOf(call)}; it is ignored`;
      report(warnDiagnostic('hook_event_damaged', message, subjectOf(listener)));
    }
    return left;
  };
  const { env } = listener;

  return [...new Set(listener.events)].map((key) => ({
    hook: 'internal_event',
    pluginId,
    isAdapter: true,
    ...(listener.pluginId === undefined ? { isForeign: true } : {}),
    band: key.includes(':') ? 'normal' : 'first',
    priority,
    timeoutMs,
    matches: (event: InternalEvent) => event.type === key || keyOf(event) === key,
    handler(event: InternalEvent, _context: object, signal: CallSignal) {
      const { type, action, messages } = event;
      calls.set(signal, { type, action, texts: [...messages], event });
      if (env !== undefined) event.context['env'] = { ...env };
      const returned = Reflect.apply(listener.handler, undefined, [event]) as unknown;
      return isThenable(returned) ? ownPromise(returned).then(() => takeOver(signal)) : takeOver(signal);
    },
    onFailure(failure, signal) {
      report(failureOf(listener, calls.get(signal) ?? key, failure));
      return takeOver(signal);
    },
    // Internal events are no part of a run's trace.
    ended: () => undefined,
  }));
}

/** One call: the event as the handler got it, and what it may have changed in it since, as it was. */
interface GoingCall extends Pick<InternalEvent, 'type' | 'action'> {
  readonly texts: readonly string[];
  readonly event: InternalEvent;
}

function keyOf({ type, action }: Pick<InternalEvent, 'type' | 'action'>): string {
  return `${type}:${action}`;
}

/** Reads what a handler left behind; from here on nothing it does to its event is seen. */
function readLeft(
  { env }: InternalListener,
  { type, event, texts }: GoingCall,
): Partial<InternalOutcome> & { readonly problem?: string } {
  try {
    const { context } = event as { readonly context: unknown };
    const read = readTexts(event.messages, texts);
    const messages = [...read.texts];
    if (!isRecord(context)) return { messages, problem: 'no context' };
    // A copy: the handler keeps its hold of what it has left.
    const fields = copyData(context);
    if (env !== undefined) Reflect.deleteProperty(fields, 'env');
    return { messages, context: fields, ...(read.problem === undefined ? {} : { problem: read.problem }) };
  } catch (error) {
    const why = quotesUser(type) ? '' : ` (${errorMessage(error)})`;
    return { problem: `an unreadable event${why}` };
  }
}

const maxTexts = 20;
const maxLines = 40;
const maxLineLength = 500;

interface ReadTexts {
  readonly texts: readonly string[];
  /** What was left out, for a report. */
  readonly problem?: string;
}

/** The texts of a list that a handler has filled; `before` where it is no list. Lines are kept, hidden characters are not. */
function readTexts(messages: unknown, before: readonly string[]): ReadTexts {
  if (!Array.isArray(messages)) return { texts: before, problem: 'messages that are no list' };
  const list = (copyData(messages) as readonly unknown[]).slice(0, maxTexts);
  const strings = list.filter((each) => typeof each === 'string');
  const texts = strings.map(inertText).filter((text) => text !== '');
  if (messages.length > maxTexts) return { texts, problem: `more than ${maxTexts} messages` };
  return strings.length === list.length ? { texts } : { texts, problem: 'messages that are no texts' };
}

function inertText(text: string): string {
  const lines = text.slice(0, maxLines * maxLineLength).split(/\r\n|\r|\n/u);
  const kept = lines.slice(0, maxLines).map((line) => inertLine(line, maxLineLength));
  return [...kept, ...(lines.length > maxLines ? ['…'] : [])].join('\n').trim();
}

/** Makes `target` hold just these fields; one named `__proto__` becomes a field like any other. */
function replaceFields(target: Record<string, unknown>, fields: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(target)) Reflect.deleteProperty(target, key);
  for (const [key, value] of Object.entries(fields)) {
    Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
  }
}

/** `call` is what it failed at, or the key that it listens to where it was given nothing. */
function failureOf(
  listener: InternalListener,
  call: GoingCall | string,
  failure: HandlerFailure,
): Diagnostic {
  const isLate = failure.status === 'timed-out';
  const said = isLate ? `timed out after ${timeoutMs}ms` : errorMessage(failure.error);
  const isKey = typeof call === 'string';
  const isHidden = !isLate && !isKey && quotesUser(call.type);
  const why = isHidden ? '; its error text is not shown because it may quote the user' : `: ${said}`;
  const message = `${ownerOf(listener)} failed at ${isKey ? call : keyOf(call)}${why}`;
  return errorDiagnostic(isLate ? 'hook_timed_out' : 'hook_failed', message, subjectOf(listener));
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
