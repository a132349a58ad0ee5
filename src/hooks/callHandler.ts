import type { Clock } from '../host/ports.ts';
import { copyData } from './copyData.ts';
import type { HookRegistration } from './createHookRegistry.ts';
import { isThenable } from './isThenable.ts';

/** What became of one call of one handler. */
export type HandlerAnswer =
  | { readonly status: 'returned'; readonly value: unknown }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'timed-out' }
  | { readonly status: 'cancelled' };

export interface HandlerLimits {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/**
 * Calls a handler with its own copies of event and context and waits for it, but not longer than its timeout or until
 * `signal` aborts; both fire the handler's `abortSignal`. Never throws. A handler that returns no promise is answered
 * without one, so that it costs no turn of the event loop.
 */
export function callHandler(
  handler: HookRegistration,
  event: object,
  context: object,
  limits: HandlerLimits,
): HandlerAnswer | Promise<HandlerAnswer> {
  const scope = new HandlerScope();
  try {
    const value = start(handler, event, Object.assign(scope, context));
    return isThenable(value)
      ? settle(value, handler.timeoutMs, limits, scope)
      : { status: 'returned', value };
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

function start(handler: HookRegistration, event: object, context: object): unknown {
  const own = { ...copyData(event), context: { pluginConfig: handler.pluginConfig } };
  return handler.handler(own as never, context as never);
}

async function settle(
  pending: PromiseLike<unknown>,
  timeoutMs: number,
  { clock, signal }: HandlerLimits,
  scope: HandlerScope,
): Promise<HandlerAnswer> {
  return await new Promise<HandlerAnswer>((resolve) => {
    const stopTimer = clock.after(timeoutMs, () => giveUp('timed-out'));
    const onAbort = (): void => giveUp('cancelled');
    const finish = (answer: HandlerAnswer): void => {
      stopTimer();
      signal?.removeEventListener('abort', onAbort);
      resolve(answer);
    };
    const giveUp = (status: 'timed-out' | 'cancelled'): void => {
      finish({ status });
      HandlerScope.abort(scope);
    };
    Promise.resolve(pending).then(
      (value) => finish({ status: 'returned', value }),
      (error: unknown) => finish({ status: 'failed', error }),
    );
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort);
  });
}

/**
 * What the handler's context is made of. `abortSignal` is on the prototype, so that copying or serialising a context
 * leaves it out, and its controller exists only where a handler asks for it.
 */
class HandlerScope {
  #controller: AbortController | undefined;
  #aborted = false;

  get abortSignal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  static abort(scope: HandlerScope): void {
    scope.#aborted = true;
    scope.#controller?.abort();
  }
}
