import type { Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../host/ports.ts';

/** The time of a turn, without the time that questions wait for the user. */
export interface TurnTime extends Disposable {
  /** Aborts when the time is over, also in the middle of a call. */
  readonly signal: AbortSignal;
  /** Milliseconds. */
  used(): number;
  /** A question stands in front of the user. */
  pause(): void;
  resume(): void;
  /** The time begins anew. */
  restart(): void;
}

/** Starts at once; `maxMs` may be infinite. */
export function createTurnTime(clock: Clock, maxMs: number): TurnTime {
  const abort = new AbortController();
  let spent = 0;
  let runningSince: number | undefined = clock.monotonic();
  let cancelTimer = (): void => undefined;
  let isOver = false;
  const used = (): number => spent + (runningSince === undefined ? 0 : clock.monotonic() - runningSince);
  const watch = (): void => {
    if (isOver || !Number.isFinite(maxMs)) return;
    cancelTimer = clock.after(Math.max(0, maxMs - used()), () => {
      if (used() >= maxMs) abort.abort();
      else watch();
    });
  };
  const stand = (): void => {
    cancelTimer();
    spent = used();
    runningSince = undefined;
  };
  const run = (): void => {
    if (runningSince !== undefined) return;
    runningSince = clock.monotonic();
    watch();
  };
  watch();
  return {
    signal: abort.signal,
    used,
    pause: stand,
    resume: run,
    restart() {
      stand();
      spent = 0;
      run();
    },
    dispose() {
      // A question of what the turn has started may be resolved later.
      isOver = true;
      cancelTimer();
    },
  };
}
