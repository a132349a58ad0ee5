import type { Clock } from '../../../host/ports.ts';

/** Files that are known to have changed and are not read yet. */
export interface ChangedPaths {
  add(paths: readonly string[]): void;
  /** Reads them without the usual pause; resolves when all that are known now were read. Never rejects. */
  flush(): Promise<void>;
  readonly size: number;
  has(path: string): boolean;
  /** For a pass that begins now. */
  watch(): ChangeWatch;
  /** Drops what waits and what comes later; resolves when nothing is being read. */
  close(): Promise<void>;
}

/** What changes while a pass runs. */
export interface ChangeWatch {
  /**
   * All since its begin, those that waited then included. Not those that were just being handed on: where these are too many to
   * be read one by one, it is this pass that reads them.
   */
  has(path: string): boolean;
  /** Those of the time since the last call. */
  drain(): readonly string[];
  stop(): void;
}

/** How long a change waits for others, and how long it waits at most where others keep coming, in milliseconds. */
const pauseMs = 300;
const longestPauseMs = 1_000;

/**
 * Collects changes and hands them on after a short pause without further ones, in one go; `take` must not reject. Saving a file
 * touches it several times, and a checkout touches many.
 */
export function createChangedPaths(
  clock: Clock,
  take: (paths: readonly string[]) => Promise<void>,
): ChangedPaths {
  const waiting = new Set<string>();
  const inHand = new Set<string>();
  const watchers = new Set<{ readonly all: Set<string>; recent: Set<string> }>();
  let cancelTimer: (() => void) | undefined;
  let waitingSince = 0;
  let work: Promise<void> = Promise.resolve();
  let isClosed = false;

  const handOn = async (): Promise<void> => {
    const paths = [...waiting];
    waiting.clear();
    if (paths.length === 0) return;
    for (const path of paths) inHand.add(path);
    await take(paths);
    for (const path of paths) inHand.delete(path);
  };

  const flush = (): Promise<void> => {
    cancelTimer?.();
    cancelTimer = undefined;
    return (work = work.then(handOn));
  };

  return {
    add(paths) {
      if (isClosed) return;
      if (waiting.size === 0) waitingSince = clock.monotonic();
      for (const path of paths) {
        waiting.add(path);
        for (const watcher of watchers) {
          watcher.all.add(path);
          watcher.recent.add(path);
        }
      }
      cancelTimer?.();
      const left = waitingSince + longestPauseMs - clock.monotonic();
      cancelTimer = clock.after(Math.max(0, Math.min(pauseMs, left)), () => void flush());
    },
    flush,
    get size() {
      return new Set([...waiting, ...inHand]).size;
    },
    has: (path) => waiting.has(path) || inHand.has(path),
    watch() {
      const watcher = { all: new Set(waiting), recent: new Set(waiting) };
      watchers.add(watcher);
      return {
        has: (path) => watcher.all.has(path),
        drain() {
          const drained = [...watcher.recent];
          watcher.recent = new Set();
          return drained;
        },
        stop: () => void watchers.delete(watcher),
      };
    },
    async close() {
      isClosed = true;
      waiting.clear();
      cancelTimer?.();
      await work;
    },
  };
}
