import type { Clock } from './ports.ts';

/** Calls at once, and once more later for all that came within `ms` of it. */
interface Throttle {
  request(): void;
  /** Drops what is still to come. */
  cancel(): void;
}

export function createThrottle(clock: Clock, ms: number, call: () => void): Throttle {
  let cancel: (() => void) | undefined;
  let last = Number.NEGATIVE_INFINITY;
  const fire = (): void => {
    cancel = undefined;
    last = clock.monotonic();
    call();
  };
  return {
    request() {
      if (cancel !== undefined) return;
      const wait = last + ms - clock.monotonic();
      if (wait <= 0) fire();
      else cancel = clock.after(wait, fire);
    },
    cancel() {
      cancel?.();
      cancel = undefined;
    },
  };
}
