import { whenSettled } from '../base/untrusted.ts';
import type { Clock } from './ports.ts';

/** True once `work` has ended, well or not; false when that takes longer than `ms`. Never rejects. */
export async function settlesWithin(work: PromiseLike<unknown>, ms: number, clock: Clock): Promise<boolean> {
  return await new Promise<boolean>((resolve) => {
    const stop = clock.after(ms, () => resolve(false));
    const settled = (): void => {
      stop();
      resolve(true);
    };
    whenSettled(work, settled, settled);
  });
}

/** Resolves when `work` is done or `ms` have passed: a plugin that hangs must not keep a window or a process open. */
export async function stopWithin(clock: Clock, ms: number, work: () => Promise<void>): Promise<void> {
  const stopping = work();
  if (await settlesWithin(stopping, ms, clock)) await stopping;
}
