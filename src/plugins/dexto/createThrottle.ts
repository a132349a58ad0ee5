import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../host/ports.ts';

/** Passes on many calls as few. */
export interface Throttle extends Disposable {
  readonly call: () => void;
}

/** Calls `pass` `ms` after the first of several calls, once for all until then. */
export function createThrottle(clock: Clock, ms: number, pass: () => void): Throttle {
  let stop: (() => void) | undefined;
  return {
    call() {
      stop ??= clock.after(ms, () => {
        stop = undefined;
        pass();
      });
    },
    dispose: () => stop?.(),
  };
}
