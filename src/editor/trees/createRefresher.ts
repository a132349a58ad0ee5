import type { Disposable } from '../../base/disposable.ts';

interface Refresher extends Disposable {
  /** Runs it now, or as soon as it may; asking twice meanwhile is asking once. */
  readonly request: () => void;
}

/** Runs `run` at most every `ms` milliseconds and never twice at once; the last request is never lost. `run` handles its own failures. */
export function createRefresher(ms: number, run: () => Promise<void>): Refresher {
  let timer: NodeJS.Timeout | undefined;
  let isBusy = false;
  let isWanted = false;
  let isOver = false;
  const start = (): void => {
    if (isOver || isBusy || timer !== undefined || !isWanted) return;
    isWanted = false;
    isBusy = true;
    timer = setTimeout(() => {
      timer = undefined;
      start();
    }, ms);
    void run().finally(() => {
      isBusy = false;
      start();
    });
  };
  return {
    request() {
      isWanted = true;
      start();
    },
    dispose() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
