import type { Clock } from '../../host/ports.ts';

/** Longest piece of work between two looks at what waits, in milliseconds. */
const sliceMs = 8;

/** Cuts long work into slices: `await` it often, it mostly gives nothing to wait for. */
export interface Breather {
  pause(): Promise<void> | undefined;
}

/** `breathe` lets messages and timers that wait have their turn. */
export function createBreather(clock: Clock, breathe: () => Promise<void>): Breather {
  let since = clock.monotonic();
  const rest = async (): Promise<void> => {
    await breathe();
    since = clock.monotonic();
  };
  return { pause: () => (clock.monotonic() - since < sliceMs ? undefined : rest()) };
}
