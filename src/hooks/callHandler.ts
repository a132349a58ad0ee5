import { copyData } from './copyData.ts';
import type { Deadlines } from './createDeadlines.ts';
import type { HookRegistration } from './createHookRegistry.ts';
import { isThenable } from './isThenable.ts';

/** What became of one call of one handler. */
export type HandlerAnswer =
  | { readonly status: 'returned'; readonly value: unknown }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'timed-out' }
  | { readonly status: 'cancelled' };

export interface HandlerLimits {
  readonly deadlines: Deadlines;
  readonly signal: AbortSignal | undefined;
}

/**
 * Calls a handler with its own copies of event and context. Gives its answer, or undefined where it has to be waited for:
 * then `later` is called once, after its timeout or when `signal` aborts at the latest; both fire the handler's
 * `abortSignal`. Never throws. A callback in place of a promise saves what is most of the cost of a quick handler.
 * `startedAt` is by the clock that only grows.
 */
export function callHandler(
  handler: HookRegistration,
  event: object,
  context: object,
  limits: HandlerLimits,
  startedAt: number,
  later: (answer: HandlerAnswer) => void,
): HandlerAnswer | undefined {
  const scope = new HandlerScope();
  try {
    const value = start(handler, event, Object.assign(scope, context));
    if (!isThenable(value)) return { status: 'returned', value };
    settle(Promise.resolve(value), startedAt + handler.timeoutMs, limits, scope, later);
    return undefined;
  } catch (error) {
    return { status: 'failed', error };
  }
}

/** Calls a handler that must not return a promise; if it does, the promise is the value and nobody waits for it. */
export function callSyncHandler(handler: HookRegistration, event: object, context: object): HandlerAnswer {
  try {
    return { status: 'returned', value: start(handler, event, Object.assign(new HandlerScope(), context)) };
  } catch (error) {
    return { status: 'failed', error };
  }
}

/** The event with room for `context`, which each handler gets its own of: adding a field to a finished copy is slow. */
export function withRoomForContext<Event extends object>(event: Event): Event {
  return { ...event, context: undefined };
}

function start(handler: HookRegistration, event: object, context: object): unknown {
  const own = copyData(event) as { context?: unknown };
  own.context = { pluginConfig: handler.pluginConfig };
  return handler.handler(own as never, context as never);
}

function settle(
  pending: Promise<unknown>,
  endsAt: number,
  { deadlines, signal }: HandlerLimits,
  scope: HandlerScope,
  later: (answer: HandlerAnswer) => void,
): void {
  let stopListening: (() => void) | undefined;
  const end = (answer: HandlerAnswer): void => {
    // What comes after the end counts for nothing: a late answer, an abort after a timeout.
    if (!deadlines.remove(deadline)) return;
    stopListening?.();
    if (answer.status === 'timed-out' || answer.status === 'cancelled') HandlerScope.abort(scope);
    later(answer);
  };
  const deadline = deadlines.add(endsAt, () => end({ status: 'timed-out' }));
  pending.then(
    (value) => end({ status: 'returned', value }),
    (error: unknown) => end({ status: 'failed', error }),
  );
  if (signal !== undefined) stopListening = onceAborted(signal, () => end({ status: 'cancelled' }));
}

/** Calls back at once where the signal has aborted; gives what stops listening. */
function onceAborted(signal: AbortSignal, call: () => void): () => void {
  if (signal.aborted) call();
  else signal.addEventListener('abort', call);
  return () => signal.removeEventListener('abort', call);
}

/**
 * What the handler's context is made of. `abortSignal` is on the prototype, so that copying or serialising a context
 * leaves it out, and its controller exists only where a handler asks for it.
 */
class HandlerScope {
  get abortSignal(): AbortSignal {
    return controllerOf(this).signal;
  }

  static abort(scope: HandlerScope): void {
    controllerOf(scope).abort();
  }
}

/** Beside the scopes, not in them: a field of their own would cost every call. */
const controllers = new WeakMap<HandlerScope, AbortController>();

function controllerOf(scope: HandlerScope): AbortController {
  const controller = controllers.get(scope) ?? new AbortController();
  controllers.set(scope, controller);
  return controller;
}
