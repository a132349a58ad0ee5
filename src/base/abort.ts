import { PincerError } from './errors.ts';

/** The error of a run that the user cancelled. */
export function cancelledError(): PincerError {
  return new PincerError('cancelled', 'Cancelled.');
}

/** @throws PincerError `cancelled` when the signal has aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw cancelledError();
}

/**
 * Settles with `work`, or rejects with `cancelled` as soon as the signal aborts. The work itself is not stopped: pass it
 * the signal too.
 */
export async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(cancelledError());
    // Attached first: work that fails after a cancel must not become an unhandled rejection.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** For `catch`: lets nothing pass but the error of work that nobody stopped. */
export function ignoreAbort(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}

/**
 * The reason of an abort that is no wish of the user: the window or the process ends. What it cuts off counts as interrupted
 * and can be resumed.
 */
export const shutdown = new PincerError('interrupted', 'Interrupted: the runtime ended.');

/** True where the signal aborted because the runtime ends. */
export function isShutdown(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === shutdown;
}
