import type { Clock } from '../../src/host/ports.ts';
import { createManualClock } from './manualClock.ts';

/** A clock that stands still, and on which a test can wait for a timer before it lets the time pass. */
export interface WatchedClock extends Clock {
  /** Resolves when a timer of exactly `ms` has been set. Each timer is waited for once. */
  set(ms: number): Promise<void>;
  /** Lets that time pass as soon as there is such a timer. */
  pass(ms: number): Promise<void>;
  advance(ms: number): void;
}

export function createWatchedClock(start = 0): WatchedClock {
  const clock = createManualClock(start);
  const delays: number[] = [];
  let onSet = (): void => undefined;
  const waitFor = async (ms: number): Promise<void> => {
    while (!delays.includes(ms)) await new Promise<void>((resolve) => (onSet = resolve));
    delays.splice(delays.indexOf(ms), 1);
  };
  return {
    ...clock,
    after(ms, call) {
      const cancel = clock.after(ms, call);
      delays.push(ms);
      onSet();
      return cancel;
    },
    set: waitFor,
    async pass(ms) {
      await waitFor(ms);
      clock.advance(ms);
    },
  };
}
