import { throwIfAborted } from '../../../base/abort.ts';
import type { FindResult, FoundFile } from '../../files/findMemoryFiles.ts';
import type { ReadResult } from '../../files/readMemoryFile.ts';
import type { SyncPlan } from '../../files/planSync.ts';
import type { MemoryProgress, SyncReport } from '../../memory.ts';
import type { StoredFile } from '../../store/rows.ts';
import type { ApplyRead } from './createApplyRead.ts';
import type { Breather } from '../createBreather.ts';
import type { LiveIndex } from '../index/createLiveIndex.ts';
import { readAhead } from './readAhead.ts';

/** Files that are read at a time. The threads that do it are the process's, not ours: one is left to the others. */
const readWidth = 3;

export interface FullPassParts {
  readonly index: LiveIndex;
  readonly find: (signal: AbortSignal) => Promise<FindResult>;
  readonly plan: (stored: readonly StoredFile[], found: readonly FoundFile[]) => SyncPlan;
  readonly read: (file: FoundFile) => Promise<ReadResult>;
  readonly apply: ApplyRead;
  /** True for a file that changed since the pass began: it is read on its own. */
  readonly isSuperseded: (path: string) => boolean;
  /** Also of one that is forgotten while the pass runs. */
  readonly isForgotten: (path: string) => boolean;
  readonly breather: Breather;
  readonly onFound: (result: FindResult) => void;
  readonly onProgress: (progress: MemoryProgress) => void;
  /** After each file; may save. */
  readonly afterFile: () => Promise<void> | undefined;
  readonly monotonic: () => number;
}

/**
 * Looks at all files and reads what changed. Stops between two files where the signal aborts: the index is then whole, and the
 * next pass goes on from there.
 */
export async function runFullPass(parts: FullPassParts, signal: AbortSignal): Promise<SyncReport> {
  const { index, onProgress } = parts;
  const began = parts.monotonic();
  onProgress({ phase: 'scan', done: 0 });
  const found = await parts.find(signal);
  throwIfAborted(signal);
  parts.onFound(found);
  const known = index.files();
  const plan = parts.plan([...known.values()], found.files);
  let removed = 0;
  for (const path of plan.remove) {
    await parts.breather.pause();
    if (parts.isSuperseded(path)) continue;
    index.remove(path);
    removed += 1;
  }
  const counts = { added: 0, changed: 0, unchanged: plan.unchanged };
  const reads = readAhead(plan.read, readWidth, async (file) => ({ file, result: await parts.read(file) }));
  const isOver = (path: string): boolean => parts.isSuperseded(path) || parts.isForgotten(path);
  let done = 0;
  if (plan.read.length > 0) onProgress({ phase: 'index', done, total: plan.read.length });
  for await (const { file, result } of reads) {
    throwIfAborted(signal);
    const outcome = await parts.apply(index, file.path, result, isOver);
    if (outcome === 'removed') removed += 1;
    else if (outcome !== 'superseded') counts[outcome] += 1;
    done += 1;
    onProgress({ phase: 'index', done, total: plan.read.length });
    await parts.afterFile();
  }
  return {
    ...counts,
    removed,
    leftOut: [...index.files().values()].filter(({ leftOut }) => leftOut !== undefined).length,
    passages: index.store.counts().passages,
    tookMs: Math.round(parts.monotonic() - began),
  };
}
