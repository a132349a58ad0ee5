import type { Disposable } from './disposable.ts';

/** One call that is still to come, at most. */
interface Timer extends Disposable {
  /** Calls after the time, where that is not to come already: the first of a burst counts. */
  readonly start: () => void;
  /** Calls after the time from now on, in place of what was to come: the last of a burst counts. */
  readonly restart: () => void;
  /** Drops what is to come; it can be started again. */
  readonly stop: () => void;
}

/** Calls `call` `ms` milliseconds after it is started. */
export function createTimer(ms: number, call: () => void): Timer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const start = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      call();
    }, ms);
  };
  return {
    start,
    restart() {
      stop();
      start();
    },
    stop,
    dispose: stop,
  };
}
