import type { StoredFile } from '../store/rows.ts';
import type { FoundFile } from './findMemoryFiles.ts';
import { shouldReadTranscript } from './sessions/shouldReadTranscript.ts';

/** What is to be done so that the index holds what was found. Pure data. */
export interface SyncPlan {
  /** New ones and those whose size, time or label differ; nearest to the top of their folder first. */
  readonly read: readonly FoundFile[];
  /** Absolute paths. */
  readonly remove: readonly string[];
  readonly unchanged: number;
}

/** Milliseconds since the epoch. */
export interface SyncTimes {
  readonly now: number;
  /** When the last look at all files began and when it had read what it found; undefined before the first. */
  readonly lastLook: { readonly from: number; readonly to: number } | undefined;
}

/**
 * What is to be read and what is to go, from what the index knows and what was found: a file is read when it is new, when its
 * size, time or label differ, and when its time can't tell whether it changed after it was read. One that could not be read
 * (it has no hash) is tried again. The user's memory comes first, then what lies near the top. Pure.
 */
export function planSync(
  known: readonly StoredFile[],
  found: readonly FoundFile[],
  times: SyncTimes,
): SyncPlan {
  const rest = new Map(known.map((file) => [file.path, file]));
  const read: FoundFile[] = [];
  for (const file of found) {
    const stored = rest.get(file.path);
    rest.delete(file.path);
    if (shouldRead(stored, file, times)) read.push(file);
  }
  return {
    // What was found first stays first within its kind.
    read: read.sort((a, b) => priorityOf(a) - priorityOf(b)),
    remove: [...rest.keys()],
    unchanged: found.length - read.length,
  };
}

function shouldRead(stored: StoredFile | undefined, file: FoundFile, times: SyncTimes): boolean {
  if (stored?.label !== file.label || stored.source !== file.source) return true;
  if (file.source === 'sessions') return shouldReadTranscript(stored, file, times.now);
  return (
    stored.hash === '' ||
    stored.bytes !== file.bytes ||
    stored.modified !== file.modified ||
    mayHideChange(file.modified, times.lastLook)
  );
}

/**
 * True where the file was changed so shortly before it was read that a later change can have left the same time behind. Most
 * file systems count finer than the clock ticks (some milliseconds); where a time is a whole second, as some have them, 2 s.
 */
function mayHideChange(modified: number, lastLook: SyncTimes['lastLook']): boolean {
  if (lastLook === undefined) return false;
  const tick = modified % 1_000 === 0 ? 2_000 : 50;
  return modified >= lastLook.from - tick && modified <= lastLook.to;
}

function priorityOf({ label, source }: FoundFile): number {
  if (source === 'sessions') return 3;
  if (/(?:^|\/)memory\.md$/iu.test(label)) return 0;
  return /(?:^|\/)memory\//u.test(label) ? 1 : 2;
}
