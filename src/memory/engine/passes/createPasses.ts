import { cancelledError, throwIfAborted } from '../../../base/abort.ts';
import type { SyncReport } from '../../memory.ts';

/** Looks at all files, one at a time; what is asked for meanwhile is done by the next one. */
export interface Passes {
  /**
   * Resolves with a pass that begins after this call; with `joins`, the one that runs already will do. Where the signal aborts,
   * it rejects with `cancelled`, and the pass that it waited for stops where it is, unless others wait for that one, too.
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
  /** Resolves when the pass that runs now has ended, however; at once where none does. Never rejects. */
  ended(): Promise<void>;
  /** Stops what runs; resolves when it has stopped. */
  close(): Promise<void>;
}

interface Waiter {
  readonly resolve: (report: SyncReport) => void;
  readonly reject: (error: unknown) => void;
}

interface Wanted {
  isRebuild: boolean;
  /** True where it is to be done though nobody waits. */
  isScheduled: boolean;
  readonly waiters: Set<Waiter>;
}

/** `onFailure` is told what went wrong in a pass, but for a cancel. */
export function createPasses(
  run: (options: { readonly rebuild: boolean }, signal: AbortSignal) => Promise<SyncReport>,
  onFailure: (error: unknown) => void,
): Passes {
  let next: Wanted | undefined;
  let running: { readonly wanted: Wanted; readonly controller: AbortController } | undefined;
  let ended: Promise<void> = Promise.resolve();
  let isClosed = false;

  const want = (): Wanted => (next ??= { isRebuild: false, isScheduled: false, waiters: new Set() });

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

  const carryOut = async (wanted: Wanted, signal: AbortSignal): Promise<void> => {
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
    const isLast = (wanted: Wanted | undefined): boolean =>
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
