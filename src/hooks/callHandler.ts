// Threat: a handler may hang, answer late, throw anything, change what it is given, or answer differently each time it is read. It
// gets copies of its own, its time is limited, what comes after the end counts for nothing, and its answer is copied once.
import { errorMessage } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { copyData, isThenable } from '../base/untrusted.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Clock } from '../host/ports.ts';
import { hookCatalog } from './hookCatalog.ts';
import * as reports from './hookReports.ts';
import type { HookTrace } from './hookTrace.ts';
import type { HookName } from './hookMap.ts';
import type { Band, FiringName, RawResult } from './hookTypes.ts';

/** One handler of one hook. */
export interface HookRegistration {
  readonly hook: FiringName;
  readonly pluginId: string;
  /** Adapters get the signal of the call, too. */
  readonly handler: (event: never, context: never, signal: never) => unknown;
  /** Default `normal`. */
  readonly band?: Band;
  /** Within its band. Higher runs first; equal ones keep their order of registration. */
  readonly priority: number;
  /** Only these firings; absent: all. Sync hooks ignore it. */
  readonly matches?: (event: never, context: never) => boolean;
  /** What this handler has, in milliseconds (`resolveHookTimeout`); sync hooks ignore it. */
  readonly timeoutMs: number;
  /** For `event.context`; default empty. */
  readonly pluginConfig?: Readonly<Record<string, unknown>>;
  /**
   * The host's own code, which asks plugins itself: it gets the context of the firing as it is, and must hand nobody more than a copy.
   * Absent: a plugin's handler, which gets copies.
   */
  readonly isAdapter?: true;
  /**
   * What its failure means: the result that counts in its place, or undefined where it stops nothing. It reports the failure, too.
   * Absent: what the hook's row says.
   */
  readonly onFailure?: (failure: HandlerFailure, signal: CallSignal) => RawResult | undefined;
  /** What the signal of a call that is cut off gives as its reason; `cancel` is the signal of the firing. Absent: the usual one. */
  readonly abortReason?: (why: 'timed-out' | 'cancelled', cancel: AbortSignal | undefined) => unknown;
  /** Told of each call when it has ended; gives back its line for the trace, which may say more, or undefined for none. */
  readonly ended?: (line: HookTrace, answer: HandlerAnswer, signal: CallSignal) => HookTrace | undefined;
}

/** Why nothing counts of what a handler said. */
export type HandlerFailure =
  { readonly status: 'failed' | 'invalid'; readonly error: unknown } | { readonly status: 'timed-out' };

/**
 * Calls a handler and gives what it returns, a promise or not; may throw. The runner knows nothing else of where a handler runs:
 * another process may answer. `event` and `context` are the emitter's, and stay as they are.
 */
export type CallHandler = (
  handler: HookRegistration,
  event: object,
  context: object,
  signal: CallSignal,
) => unknown;

/**
 * The abort signal of one call, which fires on timeout and when the run is cancelled. It is made when somebody asks for it: most
 * handlers cost less than that.
 */
export interface CallSignal {
  readonly signal: AbortSignal;
}

/**
 * One call of one handler while it goes on: its signal, and its line of the trace, which stands as it is where the handler says
 * nothing. One object, since each more would be felt beside a quick handler. It knows no more of the plugin than its id: traces
 * outlive plugins.
 */
export class OpenCall implements CallSignal, HookTrace {
  readonly hook: FiringName;
  readonly pluginId: string;
  /** By the monotonic clock. */
  readonly startedAt: number;
  durationMs = 0;
  readonly outcome = 'nothing';
  readonly context: object;
  #controller: AbortController | undefined;

  constructor({ hook, pluginId }: HookRegistration, context: object, startedAt: number) {
    this.hook = hook;
    this.pluginId = pluginId;
    this.startedAt = startedAt;
    this.context = context;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }
}

/** A call in this process, with a copy of the event. */
export const callInProcess: CallHandler = ({ handler, isAdapter, pluginConfig }, event, context, signal) => {
  const own = copyData(event) as { context?: unknown };
  if (isAdapter === true) return handler(own as never, context as never, signal as never);
  own.context = { pluginConfig: pluginConfig ?? {} };
  return handler(own as never, new HandlerContext(context, signal) as never, signal as never);
};

/** The event with room for `context`, which each handler gets its own of: adding a field to a finished copy is slow. */
export function withRoomForContext<Event extends object>(event: Event): Event {
  return { ...event, context: undefined };
}

/** `abortSignal` is on the prototype, so that copying or serialising a context leaves it out. */
class HandlerContext {
  readonly #signal: CallSignal;

  constructor(context: object, signal: CallSignal) {
    this.#signal = signal;
    Object.assign(this, context);
  }

  get abortSignal(): AbortSignal {
    return this.#signal.signal;
  }
}

/** What became of one call of one handler. */
export type HandlerAnswer =
  | { readonly status: 'returned'; readonly value: unknown }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'timed-out' }
  | { readonly status: 'cancelled' };

/** What ends the calls of one firing before they have answered. */
export interface CallLimits {
  readonly deadlines: Deadlines;
  readonly cancel: AbortSignal | undefined;
}

/**
 * Waits for what a call has returned. Calls back once, after its time or when the firing is cancelled at the latest; both abort
 * the signal of the call. A callback in place of a promise saves what is most of the cost of a quick handler.
 */
export function awaitAnswer(
  pending: PromiseLike<unknown>,
  handler: HookRegistration,
  call: OpenCall,
  { deadlines, cancel }: CallLimits,
  later: (answer: HandlerAnswer) => void,
): void {
  let stopListening: (() => void) | undefined;
  const end = (answer: HandlerAnswer): void => {
    // What comes after the end counts for nothing: a late answer, an abort after a timeout.
    if (!deadlines.remove(deadline)) return;
    stopListening?.();
    if (answer.status === 'timed-out' || answer.status === 'cancelled')
      call.abort(handler.abortReason?.(answer.status, cancel));
    later(answer);
  };
  const deadline = deadlines.add(call.startedAt + handler.timeoutMs, () => end({ status: 'timed-out' }));
  Promise.resolve(pending).then(
    (value) => end({ status: 'returned', value }),
    (error: unknown) => end({ status: 'failed', error }),
  );
  if (cancel !== undefined) stopListening = onceAborted(cancel, () => end({ status: 'cancelled' }));
}

/** Calls back at once where the signal has aborted; gives what stops listening. */
function onceAborted(signal: AbortSignal, call: () => void): () => void {
  if (signal.aborted) call();
  else signal.addEventListener('abort', call);
  return () => signal.removeEventListener('abort', call);
}

/** A call that must end by a point in time. The links belong to the list that it is in. */
export interface Deadline {
  /** By the monotonic clock. */
  readonly at: number;
  /** Called when that time has come; takes the deadline out. */
  readonly expire: () => void;
  before: Deadline | undefined;
  after: Deadline | undefined;
  isWaiting: boolean;
}

/** Deadlines that share one timer: arming a timer for every handler of every hook costs more than most handlers. */
export interface Deadlines {
  add(at: number, expire: () => void): Deadline;
  /** False where it had been taken out before. */
  remove(deadline: Deadline): boolean;
}

export function createDeadlines(clock: Clock): Deadlines {
  // A linked list: adding and removing is what happens all the time, looking through it almost never.
  let first: Deadline | undefined;
  let armedFor = Infinity;
  let disarm = (): void => undefined;

  const arm = (at: number): void => {
    disarm();
    armedFor = at;
    disarm = clock.after(Math.max(0, Math.ceil(at - clock.monotonic())), ring);
  };
  const ring = (): void => {
    armedFor = Infinity;
    const now = clock.monotonic();
    const waiting: Deadline[] = [];
    for (let each = first; each !== undefined; each = each.after) waiting.push(each);
    for (const deadline of waiting) if (deadline.isWaiting && deadline.at <= now) deadline.expire();
    let next = Infinity;
    for (let each = first; each !== undefined; each = each.after) next = Math.min(next, each.at);
    if (next < armedFor) arm(next);
  };

  return {
    add(at, expire) {
      const deadline = { at, expire, before: undefined, after: first, isWaiting: true };
      if (first !== undefined) first.before = deadline;
      first = deadline;
      if (at < armedFor) arm(at);
      return deadline;
    },
    // The timer stays: the next call most likely needs it, and it finds nothing to do otherwise.
    remove(deadline) {
      if (!deadline.isWaiting) return false;
      const { before, after } = deadline;
      deadline.isWaiting = false;
      if (before === undefined) first = after;
      else before.after = after;
      if (after !== undefined) after.before = before;
      return true;
    },
  };
}

/** What a handler said, once checked and copied. */
export type Reading =
  | { readonly status: 'nothing' }
  | { readonly status: 'result'; readonly result: RawResult }
  | { readonly status: 'invalid'; readonly why: string; readonly error: unknown }
  | { readonly status: 'failed' | 'timed-out' | 'cancelled' };

export interface AnswerReader {
  /** For hooks whose handlers decide something. Whatever is wrong has been reported when this returns. */
  read(handler: HookRegistration, answer: HandlerAnswer): Reading;
  /** For hooks that only observe: a returned object is reported where another hook could have used it. */
  readObserver(handler: HookRegistration, answer: HandlerAnswer, useInstead: HookName | undefined): Reading;
  /** For hooks that can't wait: a promise is reported and counts for nothing. */
  readSync(handler: HookRegistration, answer: HandlerAnswer): Reading;
  /** For gates, where saying nothing is no decision and so invalid. */
  readGate(handler: HookRegistration, answer: HandlerAnswer): Reading;
  /** Reports a result that its hook's rule refused. */
  refuse(handler: HookRegistration, error: unknown): Reading;
}

const nothing: Reading = { status: 'nothing' };

/**
 * Turns answers into readings and reports every failure, but those of a registration that does it itself; an odd but harmless
 * result is reported once per handler.
 */
export function createAnswerReader(report: (diagnostic: Diagnostic) => void): AnswerReader {
  const reported = new WeakSet<HookRegistration>();
  const reportOnce = (handler: HookRegistration, make: () => Diagnostic): void => {
    if (reported.has(handler)) return;
    reported.add(handler);
    report(make());
  };
  const reportFailure = ({ onFailure }: HookRegistration, diagnostic: Diagnostic): void => {
    if (onFailure === undefined) report(diagnostic);
  };

  const refuse = (handler: HookRegistration, error: unknown): Reading => {
    const { confidential, kind } = hookCatalog[handler.hook];
    const hidden = kind === 'gate' ? 'it is no decision' : 'it is nothing that this hook reads';
    const why = confidential === true ? hidden : errorMessage(error);
    reportFailure(handler, reports.invalidResult(handler, why));
    return { status: 'invalid', why, error };
  };

  const fail = (
    handler: HookRegistration,
    answer: Exclude<HandlerAnswer, { status: 'returned' }>,
  ): Reading => {
    if (answer.status === 'failed') reportFailure(handler, reports.handlerFailed(handler, answer.error));
    if (answer.status === 'timed-out')
      reportFailure(handler, reports.handlerTimedOut(handler, handler.timeoutMs));
    return { status: answer.status };
  };

  const readValue = (handler: HookRegistration, value: unknown): Reading => {
    if (value == null) return nothing;
    if (!isRecord(value)) return refuse(handler, new Error(`it must be an object, not ${kindOf(value)}`));
    // What an adapter made is the host's own.
    if (hookCatalog[handler.hook].isInternal === true) return { status: 'result', result: value };
    try {
      if (value instanceof Error) throw value;
      const result = copyFields(handler.hook, value);
      const unknown = unknownFieldsOf(handler.hook, result);
      if (unknown.length > 0) reportOnce(handler, () => reports.unknownFields(handler, unknown));
      return { status: 'result', result };
    } catch (error) {
      return refuse(handler, error);
    }
  };

  return {
    refuse,
    read: (handler, answer) =>
      answer.status === 'returned' ? readValue(handler, answer.value) : fail(handler, answer),
    readObserver(handler, answer, useInstead) {
      if (answer.status !== 'returned') return fail(handler, answer);
      if (useInstead !== undefined && isRecord(answer.value)) {
        reportOnce(handler, () => reports.observerReturned(handler, useInstead));
      }
      return nothing;
    },
    readSync(handler, answer) {
      if (answer.status !== 'returned') return fail(handler, answer);
      const { value } = answer;
      if (!isThenable(value)) return readValue(handler, value);
      reportOnce(handler, () => reports.returnedPromise(handler));
      // Nobody waits for it, but a rejection must not reach the process as an unhandled one.
      Promise.resolve(value).then(undefined, (error: unknown) =>
        report(reports.handlerFailed(handler, error)),
      );
      const error = new Error('it returned a promise');
      return { status: 'invalid', why: error.message, error };
    },
    readGate(handler, answer) {
      if (answer.status !== 'returned') return fail(handler, answer);
      return isRecord(answer.value) ? readValue(handler, answer.value) : refuse(handler, answer.value);
    },
  };
}

/** A copy of a result; fields that it only inherits, as the accessors of a class, count like its own. */
function copyFields(hook: FiringName, value: Readonly<Record<string, unknown>>): RawResult {
  const copy: Record<string, unknown> = copyData(value);
  for (const field of hookCatalog[hook].returns) {
    if (!Object.hasOwn(copy, field) && field in value) copy[field] = copyData(value[field]);
  }
  return copy;
}

function unknownFieldsOf(hook: FiringName, result: RawResult): readonly string[] {
  const known: readonly string[] = hookCatalog[hook].returns;
  return Object.keys(result).filter((field) => !known.includes(field));
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
