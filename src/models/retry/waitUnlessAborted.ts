import type { Clock } from '../../host/ports.ts';
import { aborted } from '../library/modelErrors.ts';

/** Resolves after `ms`. @throws PincerError `model_aborted` as soon as the signal aborts; no timer stays behind then. */
export async function waitUnlessAborted(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    if (signal.aborted) {
      reject(aborted());
      return;
    }
    const onAbort = (): void => {
      stopTimer();
      reject(aborted());
    };
    const stopTimer = clock.after(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
