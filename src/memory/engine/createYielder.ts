import type { Clock } from '../../host/ports.ts';

/** Longest piece of work between two yields to the event loop, in milliseconds. */
const sliceMs = 8;

/** Cuts long work into slices: `await` it often, it mostly gives nothing to wait for. */
export interface Yielder {
  yieldIfDue(): Promise<void> | undefined;
}

export function createYielder(clock: Clock, yieldToEventLoop: () => Promise<void>): Yielder {
  let since = clock.monotonic();
  const yieldNow = async (): Promise<void> => {
    await yieldToEventLoop();
    since = clock.monotonic();
  };
  return { yieldIfDue: () => (clock.monotonic() - since < sliceMs ? undefined : yieldNow()) };
}
