import type { Clock } from '../../host/ports.ts';

/** Files that are known to have changed and are not read yet. */
export interface ChangedPaths {
  add(paths: readonly string[]): void;
  /** Reads them without the usual pause; resolves when all that are known now were read. Never rejects. */
  flush(): Promise<void>;
  readonly size: number;
  has(path: string): boolean;
  /** Those of `add` since then, for a pass that began then. */
  watch(): { readonly since: ReadonlySet<string>; stop(): void };
  /** Drops what waits; resolves when nothing is being read. */
  close(): Promise<void>;
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
  const watchers = new Set<Set<string>>();
  let cancelTimer: (() => void) | undefined;
  let waitingSince = 0;
  let work: Promise<void> = Promise.resolve();

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
      if (waiting.size === 0) waitingSince = clock.monotonic();
      for (const path of paths) {
        waiting.add(path);
        for (const watcher of watchers) watcher.add(path);
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
      const since = new Set([...waiting, ...inHand]);
      watchers.add(since);
      return { since, stop: () => void watchers.delete(since) };
    },
    async close() {
      waiting.clear();
      cancelTimer?.();
      await work;
    },
  };
}
