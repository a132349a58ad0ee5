import type { Clock } from '../../src/host/ports.ts';

/** A clock that stands still until a test moves it; timers that come due fire in order, inside `advance`. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
}

export function createManualClock(start = 0): ManualClock {
  let time = start;
  let timers: { at: number; call: () => void }[] = [];
  return {
    now: () => time,
    monotonic: () => time,
    after(ms, call) {
      const timer = { at: time + ms, call };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    advance(ms) {
      const end = time + ms;
      for (;;) {
        const due = timers.filter((each) => each.at <= end).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers = timers.filter((each) => each !== due);
        time = due.at;
        due.call();
      }
      time = end;
    },
  };
}
