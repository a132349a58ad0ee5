import type { Clock } from '../host/ports.ts';

/** Resolves when `work` is done or `ms` have passed: a plugin that hangs must not keep a window or a process open. */
export async function stopWithin(clock: Clock, ms: number, work: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const cancel = clock.after(ms, resolve);
    work().then(resolve, reject).finally(cancel);
  });
}
