import type { Clock } from './ports.ts';

/** True once `work` has ended, well or not; false when that takes longer than `ms`. Never rejects. */
export async function settlesWithin(work: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  return await new Promise<boolean>((resolve) => {
    const stop = clock.after(ms, () => resolve(false));
    const settled = (): void => {
      stop();
      resolve(true);
    };
    work.then(settled, settled);
  });
}
