import type { Clock } from '../../../src/host/ports.ts';

/** The real clock, whose time of day a test can move: timers that come due by that fire at once. */
export interface ShiftedClock extends Clock {
  shift(ms: number): void;
}

/** Timers of the schedule alone are as long as this; limits of hooks and plugins are shorter, and keep their real time. */
const unattendedTimeoutMs = 45_000;

export function createShiftedClock(clock: Clock): ShiftedClock {
  let shifted = 0;
  const timers = new Set<{ readonly at: number; readonly ms: number; readonly fire: () => void }>();
  const now = (): number => clock.now() + shifted;
  return {
    now,
    monotonic: () => clock.monotonic(),
    after(ms, call) {
      const cancel = clock.after(ms, () => timer.fire());
      const timer = {
        at: now() + ms,
        ms,
        fire() {
          cancel();
          if (timers.delete(timer)) call();
        },
      };
      timers.add(timer);
      return () => {
        cancel();
        timers.delete(timer);
      };
    },
    shift(ms) {
      shifted += ms;
      const due = [...timers].filter((timer) => timer.ms >= unattendedTimeoutMs && timer.at <= now());
      for (const timer of due) timer.fire();
    },
  };
}
