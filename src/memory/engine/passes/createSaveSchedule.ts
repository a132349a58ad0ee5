import { errorMessage } from '../../../base/errors.ts';
import type { Clock } from '../../../host/ports.ts';
import type { MemoryStore } from '../../store/openStore.ts';
import type { Problems } from '../createProblems.ts';

/** Milliseconds between a change and its save, and between a save that failed and the next attempt. */
const soonMs = 500;
const retryMs = 30_000;
/** A crash in a long pass loses at most about this much. */
const passLimits = { ms: 5_000, files: 2_000 } as const;

/** When the index is written to disk. Nothing here rejects: what went wrong is a problem, and is tried again. */
export interface SaveSchedule {
  soon(): void;
  /** After each file of a pass. */
  afterFile(): Promise<void> | undefined;
  now(): Promise<void>;
  /** Stops the clock; what is being written is still written. */
  stop(): void;
}

export interface SaveParts {
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
        hint: 'Searches go on. Make room on the disk or check its permissions; the next attempt comes by itself.',
      });
      later(retryMs);
    } finally {
      lastEnd = clock.monotonic();
      lastMs = lastEnd - began;
    }
  };

  return {
    soon: () => later(soonMs),
    afterFile() {
      files += 1;
      const since = clock.monotonic() - lastEnd;
      // Writing takes at most a tenth of the time.
      const isDue = (since > passLimits.ms || files >= passLimits.files) && since > 10 * lastMs;
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
