// Threat: a handler may hang, answer late, throw anything, or change what it is given; its answer may be of any type, throw where it is
// read, or read differently each time. So it gets copies of its own, its time is limited, what comes after the end counts for nothing,
// and its answer is copied once, then checked. What is wrong with it counts as a failure of the handler.
import { throwIfAborted } from '../base/abort.ts';
import { errorMessage } from '../base/errors.ts';
import { copyData, copyOwnData, isThenable, kindOf, whenSettled } from '../base/untrusted.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Clock } from '../host/ports.ts';
import { hookCatalog } from './hookCatalog.ts';
import type {
  CallHandler,
  CallSignal,
  HandlerAnswer,
  HandlerFailure,
  HookRegistration,
} from './hookRegistration.ts';
import * as reports from './hookReports.ts';
import type { HookTrace } from './hookTrace.ts';
import type { FiringName, RawResult } from './hookTypes.ts';

/** What a handler said, once checked and copied. */
export type Reading =
  | { readonly status: 'nothing' }
  | { readonly status: 'result'; readonly result: RawResult }
  | { readonly status: 'cancelled' }
  | HandlerFailure;

/** One call of one handler that has ended. */
export interface EndedCall {
  readonly handler: HookRegistration;
  readonly answer: HandlerAnswer;
  readonly said: Reading;
  readonly call: OpenCall;
}

/** What the handlers of one firing are called with. */
interface Firing {
  /** The event for the next handler. */
  readonly view: () => object;
  readonly context: object;
  readonly signal: AbortSignal | undefined;
}

/** Calls handlers and gives back what each of them said; reports what fails. */
export function createDispatch(
  clock: Clock,
  report: (diagnostic: Diagnostic) => void,
  call: CallHandler = callInProcess,
) {
  const deadlines = createDeadlines(clock);
  const { read, refuse } = createAnswerReader(report);

  /** Undefined where the answer has to be waited for: then `later` is called. */
  const ask = (
    handler: HookRegistration,
    event: object,
    open: OpenCall,
    limits: CallLimits,
    later: (answer: HandlerAnswer) => void,
  ): HandlerAnswer | undefined => {
    try {
      const value = call(handler, event, open.context, open);
      if (!isThenable(value)) return { status: 'returned', value };
      awaitAnswer(value, handler, open, limits, later);
      return undefined;
    } catch (error) {
      return { status: 'failed', error };
    }
  };

  return {
    /** What a result counts as that its hook's rule refuses; reports it. */
    refuse,

    /** All of them at once. Resolves when the last one has ended; never rejects. */
    together(
      handlers: readonly HookRegistration[],
      event: object,
      context: object,
      cancel: AbortSignal | undefined,
      take: (ended: EndedCall) => void,
    ): Promise<void> {
      const limits = { deadlines, cancel, report };
      return new Promise((resolve) => {
        let running = handlers.length;
        let startedAt = clock.monotonic();
        for (const handler of handlers) {
          const call = new OpenCall(handler, context, startedAt);
          const ended = (answer: HandlerAnswer): void => {
            // The end of one that answers at once is the start of the next.
            startedAt = clock.monotonic();
            call.durationMs = startedAt - call.startedAt;
            take({ handler, answer, said: read(handler, answer), call });
            running -= 1;
            if (running === 0) resolve();
          };
          const answer = ask(handler, event, call, limits, ended);
          if (answer !== undefined) ended(answer);
        }
      });
    },

    /**
     * One after the other until `take` says that it is over. Rejects with what `take` throws, and with `cancelled` where the
     * firing is cancelled.
     */
    inOrder(
      handlers: readonly HookRegistration[],
      { view, context, signal: cancel }: Firing,
      take: (ended: EndedCall) => boolean,
    ): Promise<void> {
      return new Promise((resolve, reject) => {
        const limits = { deadlines, cancel, report };
        let next = 0;
        let startedAt = clock.monotonic();
        // Of the handler that is being called, which is the one before `next`.
        let call: OpenCall;
        // Of one that answers while it is asked, by a `then` of its own.
        let early: HandlerAnswer | undefined;
        let isAsking = false;

        /** True where the next handler is to be called. The end of one is the start of the next: the clock is read once. */
        const goesOn = (handler: HookRegistration, answer: HandlerAnswer): boolean => {
          const endedAt = clock.monotonic();
          call.durationMs = endedAt - startedAt;
          startedAt = endedAt;
          return !take({ handler, answer, said: read(handler, answer), call });
        };
        const callOn = (): void => {
          try {
            for (;;) {
              const handler = handlers[next];
              if (handler === undefined) break;
              next += 1;
              const event = view();
              if (!isMatch(handler, event, context)) continue;
              if (cancel !== undefined) throwIfAborted(cancel);
              call = new OpenCall(handler, context, startedAt);
              isAsking = true;
              const answer = ask(handler, event, call, limits, resume) ?? early;
              isAsking = false;
              if (answer === undefined) return;
              early = undefined;
              if (!goesOn(handler, answer)) break;
            }
            resolve();
          } catch (error) {
            reject(toError(error));
          }
        };
        /** One function for all handlers of a firing, since only one of them is waited for at a time. */
        const resume = (answer: HandlerAnswer): void => {
          if (isAsking) {
            early = answer;
            return;
          }
          try {
            const handler = handlers[next - 1];
            if (handler !== undefined && goesOn(handler, answer)) callOn();
            else resolve();
          } catch (error) {
            reject(toError(error));
          }
        };
        callOn();
      });
    },

    /** One that must not return a promise; if it does, the promise is the value and nobody waits for it. */
    atOnce(handler: HookRegistration, event: object, context: object, startedAt: number): EndedCall {
      const open = new OpenCall(handler, context, startedAt);
      let answer: HandlerAnswer;
      try {
        answer = { status: 'returned', value: call(handler, event, context, open) };
      } catch (error) {
        answer = { status: 'failed', error };
      }
      open.durationMs = clock.monotonic() - startedAt;
      return { handler, answer, said: read(handler, answer), call: open };
    },
  };
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(errorMessage(thrown));
}

export function isMatch({ matches }: HookRegistration, event: object, context: object): boolean {
  return matches === undefined || matches(event as never, context as never);
}

/** The event with room for `context`, which each handler gets its own of: adding a field to a finished copy is slow. */
export function withRoomForContext<Event extends object>(event: Event): Event {
  return { ...event, context: undefined };
}

/**
 * One call of one handler while it goes on: its signal, and its line of the trace, which stands as it is where the handler says
 * nothing. One object, since each more would be felt beside a quick handler. It knows no more of the plugin than its id: traces
 * outlive plugins.
 */
class OpenCall implements CallSignal, HookTrace {
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
const callInProcess: CallHandler = ({ handler, isAdapter, pluginConfig }, event, context, signal) => {
  const own = copyOwnData(event) as { context?: unknown };
  if (isAdapter === true) return handler(own as never, context as never, signal as never);
  own.context = { pluginConfig: pluginConfig ?? {} };
  return handler(own as never, new HandlerContext(context, signal) as never, signal as never);
};

/**
 * `abortSignal` is on the prototype, so that copying or serialising a context leaves it out. Frozen below: all plugins can reach it by
 * their contexts, and a setter there would take the fields of everybody's.
 */
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

Object.freeze(HandlerContext.prototype);
Object.freeze(HandlerContext);

/** What ends the calls of one firing before they have answered. */
interface CallLimits {
  readonly deadlines: Deadlines;
  readonly cancel: AbortSignal | undefined;
  readonly report: (diagnostic: Diagnostic) => void;
}

/**
 * Waits for what a call has returned. Calls back once, after its time or when the firing is cancelled at the latest; both abort
 * the signal of the call. A callback in place of a promise saves what is most of the cost of a quick handler.
 */
function awaitAnswer(
  pending: PromiseLike<unknown>,
  handler: HookRegistration,
  call: OpenCall,
  { deadlines, cancel, report }: CallLimits,
  later: (answer: HandlerAnswer) => void,
): void {
  let stopListening: (() => void) | undefined;
  const end = (answer: HandlerAnswer): void => {
    // What comes after the end counts for nothing: a late answer, an abort after a timeout.
    if (!deadlines.remove(deadline)) return;
    stopListening?.();
    if (answer.status === 'timed-out' || answer.status === 'cancelled') {
      try {
        call.abort(handler.abortReason?.(answer.status, cancel));
      } catch (error) {
        // The handler has given the signal a `dispatchEvent` of its own: nobody but it goes without the event.
        report(reports.handlerFailed(handler, error));
      }
    }
    later(answer);
  };
  const deadline = deadlines.add(call.startedAt + handler.timeoutMs, end);
  follow(pending, end);
  if (cancel !== undefined && deadline.isWaiting)
    stopListening = onceAborted(cancel, () => end({ status: 'cancelled' }));
}

/**
 * Calls `end`, which counts the first answer alone. A promise may have a `then` of its own, which throws, answers twice or answers at
 * once. Asking the language's own in its place (`whenSettled`) would cost a tenth of all that a quick handler takes.
 */
function follow(pending: PromiseLike<unknown>, end: (answer: HandlerAnswer) => void): void {
  try {
    Promise.resolve(pending).then(
      (value) => end({ status: 'returned', value }),
      (error: unknown) => end({ status: 'failed', error }),
    );
  } catch (error) {
    queueMicrotask(() => end({ status: 'failed', error }));
  }
}

/** Calls back at once where the signal has aborted; gives what stops listening. */
function onceAborted(signal: AbortSignal, call: () => void): () => void {
  if (signal.aborted) call();
  else signal.addEventListener('abort', call);
  return () => signal.removeEventListener('abort', call);
}

/** A call that must end by a point in time. The links belong to the list that it is in. */
interface Deadline {
  /** By the monotonic clock. */
  readonly at: number;
  /** Called when that time has come; takes the deadline out. */
  readonly expire: (answer: HandlerAnswer) => void;
  before: Deadline | undefined;
  after: Deadline | undefined;
  isWaiting: boolean;
}

/** Deadlines that share one timer: arming a timer for every handler of every hook costs more than most handlers. */
interface Deadlines {
  add(at: number, expire: (answer: HandlerAnswer) => void): Deadline;
  /** False where it had been taken out before. */
  remove(deadline: Deadline): boolean;
}

const timedOut: HandlerAnswer = { status: 'timed-out' };

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
    for (const deadline of waiting) if (deadline.isWaiting && deadline.at <= now) deadline.expire(timedOut);
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

const nothing: Reading = { status: 'nothing' };

/** Reports every failure, but those of a registration that does it itself; an odd but harmless answer once for each handler. */
function createAnswerReader(report: (diagnostic: Diagnostic) => void) {
  const reported = new WeakSet<HookRegistration>();
  const reportOnce = (handler: HookRegistration, make: () => Diagnostic): void => {
    if (reported.has(handler)) return;
    reported.add(handler);
    report(make());
  };
  const reportFailure = ({ onFailure }: HookRegistration, diagnostic: Diagnostic): void => {
    if (onFailure === undefined) report(diagnostic);
  };

  const refuse = (handler: HookRegistration, error: unknown): HandlerFailure => {
    const { confidential, kind } = hookCatalog[handler.hook];
    const hidden = kind === 'gate' ? 'it is no decision' : 'it is nothing that this hook reads';
    reportFailure(
      handler,
      reports.invalidResult(handler, confidential === true ? hidden : errorMessage(error)),
    );
    return { status: 'invalid', error };
  };

  const refusePromise = (handler: HookRegistration, promise: PromiseLike<unknown>): HandlerFailure => {
    reportOnce(handler, () => reports.returnedPromise(handler));
    // Nobody waits for it, but a rejection must not reach the process as an unhandled one.
    const ignore = (): void => undefined;
    whenSettled(promise, ignore, (error) => report(reports.handlerFailed(handler, error)));
    return { status: 'invalid', error: new Error('it returned a promise') };
  };

  const readResult = (handler: HookRegistration, value: object): Reading => {
    if (value instanceof Error) throw value;
    const result = copyFields(handler.hook, value);
    const unknown = unknownFieldsOf(handler.hook, result);
    if (unknown.length > 0) reportOnce(handler, () => reports.unknownFields(handler, unknown));
    return { status: 'result', result };
  };

  /** @throws whatever reading the value throws */
  const readValue = (handler: HookRegistration, value: unknown): Reading => {
    const { kind, rule, isInternal } = hookCatalog[handler.hook];
    if (kind === 'sync' && isThenable(value)) return refusePromise(handler, value);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (kind === 'observe') {
      const useInstead = 'useInstead' in rule ? rule.useInstead : undefined;
      if (isObject && useInstead !== undefined)
        reportOnce(handler, () => reports.observerReturned(handler, useInstead));
      return nothing;
    }
    if (!isObject) return refuse(handler, new Error(`it must be an object, not ${kindOf(value)}`));
    // What an adapter made is the host's own.
    return isInternal === true
      ? { status: 'result', result: value as RawResult }
      : readResult(handler, value);
  };

  /** Never throws: even to ask what kind of value it is may run code of the plugin. */
  const readReturned = (handler: HookRegistration, value: unknown): Reading => {
    try {
      return readValue(handler, value);
    } catch (error) {
      return refuse(handler, error);
    }
  };

  const read = (handler: HookRegistration, answer: HandlerAnswer): Reading => {
    if (answer.status === 'returned')
      return answer.value == null ? nothing : readReturned(handler, answer.value);
    if (answer.status === 'failed') reportFailure(handler, reports.handlerFailed(handler, answer.error));
    if (answer.status === 'timed-out')
      reportFailure(handler, reports.handlerTimedOut(handler, handler.timeoutMs));
    return answer;
  };

  return { read, refuse };
}

/** A copy of a result; fields that it only inherits, as the accessors of a class, count like its own. */
function copyFields(hook: FiringName, value: object): RawResult {
  const copy = copyData(value) as Record<string, unknown>;
  for (const field of hookCatalog[hook].returns) {
    if (!Object.hasOwn(copy, field) && field in value) copy[field] = copyData((value as RawResult)[field]);
  }
  return copy;
}

function unknownFieldsOf(hook: FiringName, result: RawResult): readonly string[] {
  const known: readonly string[] = hookCatalog[hook].returns;
  return Object.keys(result).filter((field) => !known.includes(field));
}
