import { cancelledError, throwIfAborted } from '../../base/abort.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Clock } from '../../host/ports.ts';
import type { SyncReport } from '../memory.ts';
import type { MemoryStore } from '../store/openStore.ts';
import type { Problems } from './engineState.ts';

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
const maxPauseMs = 1_000;

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
      const left = waitingSince + maxPauseMs - clock.monotonic();
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

/** Full scans, one at a time; what is asked for meanwhile is done by the next one. */
export interface ScanSchedule {
  /**
   * Resolves with a scan that begins after this call; with `joins`, the one that runs already will do. Where the signal aborts,
   * it rejects with `cancelled`, and the scan that it waited for stops where it is, unless others wait for that one, too.
   */
  request(
    options: { readonly rebuild: boolean; readonly joins?: boolean },
    signal: AbortSignal,
  ): Promise<SyncReport>;
  /** Soon, and nobody waits for it. */
  schedule(options?: { readonly rebuild: boolean }): void;
  /** What runs stops, and what was to follow is not begun; whoever waits is told `cancelled`. */
  cancel(): void;
  /** What runs begins anew, for whoever waits for it; nothing runs: nothing happens. */
  restart(): void;
  readonly isRunning: boolean;
  /** Resolves when the scan that runs now has ended, however; at once where none does. Never rejects. */
  ended(): Promise<void>;
  /** Stops what runs; resolves when it has stopped. */
  close(): Promise<void>;
}

interface Waiter {
  readonly resolve: (report: SyncReport) => void;
  readonly reject: (error: unknown) => void;
}

interface PassRequest {
  isRebuild: boolean;
  /** True where it is to be done though nobody waits. */
  isScheduled: boolean;
  readonly waiters: Set<Waiter>;
}

/** `onFailure` is told what went wrong in a scan, but for a cancel. */
export function createScanSchedule(
  run: (options: { readonly rebuild: boolean }, signal: AbortSignal) => Promise<SyncReport>,
  onFailure: (error: unknown) => void,
): ScanSchedule {
  let next: PassRequest | undefined;
  let running: { readonly wanted: PassRequest; readonly controller: AbortController } | undefined;
  let ended: Promise<void> = Promise.resolve();
  let isClosed = false;

  const want = (): PassRequest => (next ??= { isRebuild: false, isScheduled: false, waiters: new Set() });

  const pump = (): void => {
    if (running !== undefined || next === undefined || isClosed) return;
    const wanted = next;
    const controller = new AbortController();
    next = undefined;
    running = { wanted, controller };
    ended = carryOut(wanted, controller.signal).finally(() => {
      running = undefined;
      pump();
    });
  };

  const carryOut = async (wanted: PassRequest, signal: AbortSignal): Promise<void> => {
    try {
      const report = await run({ rebuild: wanted.isRebuild }, signal);
      for (const waiter of wanted.waiters) waiter.resolve(report);
    } catch (error) {
      if (!signal.aborted) onFailure(error);
      for (const waiter of wanted.waiters) waiter.reject(signal.aborted ? cancelledError() : error);
    }
  };

  const abandon = (waiter: Waiter): void => {
    waiter.reject(cancelledError());
    const isLast = (wanted: PassRequest | undefined): boolean =>
      wanted?.waiters.delete(waiter) === true && wanted.waiters.size === 0;
    if (isLast(next) && next?.isScheduled === false) next = undefined;
    if (isLast(running?.wanted)) running?.controller.abort();
  };

  return {
    async request({ rebuild, joins = false }, signal) {
      throwIfAborted(signal);
      if (isClosed) throw cancelledError();
      const wanted = (joins && !rebuild ? running?.wanted : undefined) ?? want();
      wanted.isRebuild ||= rebuild;
      return await new Promise<SyncReport>((resolve, reject) => {
        const waiter: Waiter = { resolve, reject };
        wanted.waiters.add(waiter);
        signal.addEventListener('abort', () => abandon(waiter), { once: true });
        pump();
      });
    },
    schedule({ rebuild } = { rebuild: false }) {
      const wanted = want();
      wanted.isRebuild ||= rebuild;
      wanted.isScheduled = true;
      pump();
    },
    cancel() {
      for (const waiter of next?.waiters ?? []) waiter.reject(cancelledError());
      next = undefined;
      running?.controller.abort();
    },
    restart() {
      if (running === undefined) return;
      const wanted = want();
      wanted.isRebuild ||= running.wanted.isRebuild;
      wanted.isScheduled = true;
      for (const waiter of running.wanted.waiters) wanted.waiters.add(waiter);
      running.wanted.waiters.clear();
      running.controller.abort();
    },
    get isRunning() {
      return running !== undefined;
    },
    ended: () => ended,
    async close() {
      isClosed = true;
      for (const waiter of next?.waiters ?? []) waiter.reject(cancelledError());
      running?.controller.abort();
      await ended;
    },
  };
}

/** Milliseconds between a change and its save, and between a save that failed and the next attempt. */
const saveDelayMs = 500;
const retryMs = 30_000;
/** A crash in a long scan loses at most about this much. */
const scanLimits = { ms: 5_000, files: 2_000 } as const;

/** When the index is written to disk. Nothing here rejects: what went wrong is a problem, and is tried again. */
interface SaveSchedule {
  soon(): void;
  /** After each file of a scan. */
  afterFile(): Promise<void> | undefined;
  now(): Promise<void>;
  /** Stops the clock; what is being written is still written. */
  stop(): void;
}

interface SaveParts {
  readonly clock: Clock;
  readonly store: () => MemoryStore;
  readonly problems: Problems;
  /** False where another has taken the place of the one that writes: then nothing is written. */
  readonly mayWrite: () => Promise<boolean>;
  readonly onSaved: () => void;
}

export function createSaveSchedule({ clock, store, problems, mayWrite, onSaved }: SaveParts): SaveSchedule {
  let cancel: (() => void) | undefined;
  let isStopped = false;
  let files = 0;
  let lastEnd = clock.monotonic();
  let lastMs = 0;

  const later = (ms: number): void => {
    if (isStopped || cancel !== undefined) return;
    cancel = clock.after(ms, () => void now());
  };

  const now = async (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    files = 0;
    const began = clock.monotonic();
    try {
      if (!store().isChanged || !(await mayWrite())) return;
      await store().save();
      problems.set('save', undefined);
      onSaved();
    } catch (error) {
      problems.set('save', {
        level: 'warn',
        code: 'memory_not_saved',
        message: `The index of the memory could not be saved: ${errorMessage(error)}`,
        hint: 'Searches go on. Make room on the disk or check its permissions; it is retried automatically.',
      });
      later(retryMs);
    } finally {
      lastEnd = clock.monotonic();
      lastMs = lastEnd - began;
    }
  };

  return {
    soon: () => later(saveDelayMs),
    afterFile() {
      files += 1;
      const since = clock.monotonic() - lastEnd;
      // Writing takes at most a tenth of the time.
      const isDue = (since > scanLimits.ms || files >= scanLimits.files) && since > 10 * lastMs;
      return isDue ? now() : undefined;
    },
    now,
    stop() {
      isStopped = true;
      cancel?.();
      cancel = undefined;
    },
  };
}
