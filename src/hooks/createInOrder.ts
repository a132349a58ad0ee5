import { throwIfAborted } from '../base/abort.ts';
import { errorMessage } from '../base/errors.ts';
import type { Clock } from '../host/ports.ts';
import { callHandler, type HandlerAnswer } from './callHandler.ts';
import type { Deadlines } from './createDeadlines.ts';
import { beginLine, type HandlerCall, type OpenLine } from './createHandlerCalls.ts';
import type { HookRegistration } from './createHookRegistry.ts';

/** What the handlers of one firing are called with. */
export interface Firing {
  /** The event for the next handler. */
  readonly view: () => object;
  readonly context: object;
  readonly signal: AbortSignal | undefined;
}

/**
 * Calls handlers one after the other until `take` says that it is over. Rejects with what `take` throws, and with `cancelled`
 * where the signal aborts.
 */
export type InOrder = (
  handlers: readonly HookRegistration[],
  firing: Firing,
  take: (call: HandlerCall) => boolean,
) => Promise<void>;

export function createInOrder(clock: Clock, deadlines: Deadlines): InOrder {
  return (handlers, { view, context, signal }, take) =>
    new Promise((resolve, reject) => {
      const limits = { deadlines, signal };
      let next = 0;
      let startedAt = clock.monotonic();
      // Of the handler that is being called, which is the one before `next`; made without a trace, too (see `beginLine`).
      let line: OpenLine;

      /** True where the next handler is to be called. The end of one is the start of the next: the clock is read once. */
      const goesOn = (handler: HookRegistration, answer: HandlerAnswer): boolean => {
        const endedAt = clock.monotonic();
        line.durationMs = endedAt - startedAt;
        startedAt = endedAt;
        return !take({ handler, answer, line });
      };
      const callOn = (): void => {
        try {
          for (;;) {
            const handler = handlers[next];
            if (handler === undefined) break;
            next += 1;
            if (signal !== undefined) throwIfAborted(signal);
            line = beginLine(handler, context, startedAt);
            const answer = callHandler(handler, view(), context, limits, startedAt, resume);
            if (answer === undefined) return;
            if (!goesOn(handler, answer)) break;
          }
          resolve();
        } catch (error) {
          reject(toError(error));
        }
      };
      /** One function for all handlers of a firing, since only one of them is waited for at a time. */
      const resume = (answer: HandlerAnswer): void => {
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
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(errorMessage(thrown));
}
