import { dirname, join } from 'node:path';
import { throwIfAborted } from '../../base/abort.ts';
import { namesBelow } from '../files/fileTree.ts';
import { findMemoryFiles, type FindResult, type FoundFile, inBatches } from '../files/findMemoryFiles.ts';
import { readMemoryFile, type ReadResult } from '../files/readMemoryFile.ts';
import type { SyncReport } from '../memory.ts';
import type { MemoryStore } from '../store/openStore.ts';
import type { StoredFile } from '../store/rows.ts';
import type { ForgottenFiles } from './createForgottenFiles.ts';
import type { LiveIndex } from './createLiveIndex.ts';
import {
  type Problems,
  type EngineDeps,
  type EngineState,
  findContext,
  type ProgressReporter,
  type Yielder,
} from './engineState.ts';
import type { ChangedPaths, ChangeWatch, ScanSchedule } from './schedules.ts';

/** What became of a file that was read. `superseded`: it changed meanwhile, and this reading counts no more. */
type ApplyOutcome = 'added' | 'changed' | 'unchanged' | 'removed' | 'superseded';

/**
 * Puts into the index what was read of a file; `path` is its key there. Cuts it in slices, then changes the index in one go where
 * that is quick.
 */
export type ApplyToIndex = (
  index: LiveIndex,
  path: string,
  result: ReadResult,
  isSuperseded: (path: string) => boolean,
) => Promise<ApplyOutcome>;

/** Files nearest to the top; beyond, a workspace has to say what counts. */
const maxFiles = 50_000;
/** Files that are read at a time. The threads that do it are the process's, not ours: one is left to the others. */
const readWidth = 3;

interface ScanParts {
  readonly deps: EngineDeps;
  readonly state: EngineState;
  readonly yielder: Yielder;
  readonly forgotten: ForgottenFiles;
  readonly problems: Problems;
  readonly progress: ProgressReporter;
  readonly apply: ApplyToIndex;
  /** After each file of an index that answers; may save. */
  readonly afterFile: () => Promise<void> | undefined;
}

/**
 * Scans all files and reads what changed, for an index that answers or for one that is to. What changes or is forgotten
 * meanwhile is left out: it is read on its own. Stops between two files where the signal aborts: the index is then whole, and
 * the next scan goes on from there. @throws PincerError `cancelled`
 */
type Scan = (index: LiveIndex, changed: ChangeWatch, signal: AbortSignal) => Promise<SyncReport>;

export function createScan(parts: ScanParts): Scan {
  const { deps, state, yielder, forgotten, problems, progress, apply } = parts;
  const { clock, fs } = deps;

  const find = async (signal: AbortSignal): Promise<FindResult> => {
    const found = await findMemoryFiles({
      ...findContext(deps, state.settings),
      maxFiles,
      signal,
      yieldToEventLoop: async () => await yielder.yieldIfDue(),
    });
    return { ...found, files: found.files.filter(({ path }) => !forgotten.has(path)) };
  };

  return async (index, changed, signal) => {
    const isLive = index === state.index;
    const from = clock.now();
    const began = clock.monotonic();
    progress.indexing({ phase: 'scan', done: 0 });
    const found = await find(signal);
    throwIfAborted(signal);
    problems.set('files', found.problems);
    const times = { now: clock.now(), lastScan: lastScanOf(index.store) };
    const plan = planSync([...index.files().values()], found.files, times);
    let removed = 0;
    for (const path of plan.remove) {
      await yielder.yieldIfDue();
      if (changed.has(path)) continue;
      index.remove(path);
      removed += 1;
    }
    const counts = { added: 0, changed: 0, unchanged: plan.unchanged };
    const total = plan.read.length;
    const tell = (done: number): void => {
      if (isLive) state.unread = total - done;
      progress.indexing({ phase: 'index', done, total });
    };
    const isOver = (path: string): boolean => changed.has(path) || forgotten.has(path);
    const reads = readAhead(plan.read, readWidth, async (file) => ({
      file,
      result: await readMemoryFile(fs, file),
    }));
    let done = 0;
    if (total > 0) tell(done);
    for await (const { file, result } of reads) {
      throwIfAborted(signal);
      const outcome = await apply(index, file.path, result, isOver);
      if (outcome === 'removed') removed += 1;
      else if (outcome !== 'superseded') counts[outcome] += 1;
      done += 1;
      tell(done);
      await (isLive ? parts.afterFile() : undefined);
    }
    const report = {
      ...counts,
      removed,
      leftOut: [...index.files().values()].filter(({ leftOut }) => leftOut !== undefined).length,
      passages: index.store.counts().passages,
      tookMs: Math.round(clock.monotonic() - began),
    };
    // Where nothing was read, what the last scan says of the files' times still holds, and nothing need be saved.
    if (total > 0) keepLastScan(index.store, { from, to: clock.now() });
    return report;
  };
}

type LastScan = NonNullable<SyncTimes['lastScan']>;

/** When the last scan that found something to read was; undefined for an index that is new. */
export function lastScanOf(store: MemoryStore): LastScan | undefined {
  const said = store.meta('lastScan');
  return said === undefined ? undefined : (JSON.parse(said) as LastScan);
}

/** Milliseconds since the epoch. */
function keepLastScan(store: MemoryStore, scan: LastScan): void {
  store.setMeta('lastScan', JSON.stringify(scan));
}

/** What is to be done so that the index holds what was found. Pure data. */
interface SyncPlan {
  /** New ones and those whose size, time or label differ; nearest to the top of their folder first. */
  readonly read: readonly FoundFile[];
  /** Absolute paths. */
  readonly remove: readonly string[];
  readonly unchanged: number;
}

/** Milliseconds since the epoch. */
interface SyncTimes {
  readonly now: number;
  /** When the last scan began and when it had read what it found; undefined before the first. */
  readonly lastScan: { readonly from: number; readonly to: number } | undefined;
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
    mayHideChange(file.modified, times.lastScan)
  );
}

/**
 * True where the file was changed so shortly before it was read that a later change can have left the same time behind. Most
 * file systems count finer than the clock ticks (some milliseconds); where a time is a whole second, as some have them, 2 s.
 */
function mayHideChange(modified: number, lastScan: SyncTimes['lastScan']): boolean {
  if (lastScan === undefined) return false;
  const tick = modified % 1_000 === 0 ? 2_000 : 50;
  return modified >= lastScan.from - tick && modified <= lastScan.to;
}

function priorityOf({ label, source }: FoundFile): number {
  if (source === 'sessions') return 3;
  if (/(?:^|\/)memory\.md$/iu.test(label)) return 0;
  return /(?:^|\/)memory\//u.test(label) ? 1 : 2;
}

/** Bytes by which a running session must have grown. */
const enoughBytes = 100_000;

/** Milliseconds without a new line after which a session counts as quiet. */
const quietMs = 5_000;

/**
 * Whether a transcript is worth reading again: each answer appends to it, and reading it anew each time would be busy for nothing.
 * A quiet one is read when it changed, a running one when it grew by 100,000 bytes. (Upstream also reads it after 50 messages,
 * which it counts by reading; here that waits for the pause.) Pure; `now` in milliseconds since the epoch.
 */
export function shouldReadTranscript(
  known: Pick<StoredFile, 'bytes' | 'modified' | 'hash'> | undefined,
  found: Pick<FoundFile, 'bytes' | 'modified'>,
  now: number,
): boolean {
  if (known === undefined || known.hash === '' || found.bytes < known.bytes) return true;
  if (found.bytes === known.bytes && found.modified === known.modified) return false;
  return found.bytes - known.bytes >= enoughBytes || now - found.modified >= quietMs;
}

/**
 * Reads items in order, at most `width` at a time, a few ahead of whoever takes them. What a read rejects with is thrown at
 * its turn.
 */
export async function* readAhead<T, R>(
  items: Iterable<T>,
  width: number,
  read: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const reading: Promise<R>[] = [];
  for (const item of items) {
    const next = read(item);
    // It is awaited at its turn, or by nobody where the taker has left.
    next.catch(() => undefined);
    reading.push(next);
    const first = reading.length < width ? undefined : reading.shift();
    if (first !== undefined) yield await first;
  }
  for (const rest of reading) yield await rest;
}

/**
 * Checks the files that the index holds, the folders above them and their `.gitignore`: far less than a full scan. What it can't see are files in folders that hold none so far, below folders that hold none.
 */
export interface KnownFilesCheck {
  /** Hands on what is no longer as it was read; not where a full scan does that anyway. */
  begin(): void;
  /** Resolves when the check that runs now has ended; undefined where none does. */
  running(): Promise<void> | undefined;
}

/** Beyond, one check would take longer than a search waits for it: there the watchers have to do. */
const maxKnownFiles = 10_000;

/** A folder that changed so shortly before it was listed may have changed once more afterwards. Milliseconds. */
const tickMs = 50;

/** Where what it finds is handed on. */
interface Schedules {
  readonly changes: ChangedPaths;
  readonly scans: ScanSchedule;
}

export function createKnownFilesCheck(
  deps: EngineDeps,
  state: () => EngineState,
  work: () => Schedules | undefined,
): KnownFilesCheck {
  let running: Promise<void> | undefined;

  const check = async ({ changes, scans }: Schedules): Promise<void> => {
    const { index, lastSync, settings } = state();
    const files = [...index.files().values()].filter(({ source }) => source === 'memory');
    if (lastSync === undefined || files.length > maxKnownFiles) return;
    const pace = { signal: new AbortController().signal, yieldToEventLoop: deps.yieldToEventLoop };
    const changed = await inBatches(files, pace, async ({ path, bytes, modified }) => {
      const stat = await deps.fs.stat(path).catch(() => undefined);
      return stat?.size === bytes && Math.floor(stat.mtimeMs) === modified ? [] : [path];
    });
    if (changed.flat().length > 0) changes.add(changed.flat());
    const listedAt = lastSync.at - lastSync.tookMs - tickMs;
    const roots = settings.roots.map(({ path }) => path);
    const folders = foldersOf(
      files.map(({ path }) => path),
      roots,
      deps.platform,
    );
    const places = folders.flatMap((folder) => [folder, join(folder, '.gitignore')]);
    const touched = await inBatches(places, pace, async (path) => {
      const stat = await deps.fs.stat(path).catch(() => undefined);
      return stat !== undefined && stat.mtimeMs > listedAt;
    });
    if (touched.includes(true)) scans.schedule();
  };

  return {
    begin() {
      const working = work();
      if (running !== undefined || working === undefined || working.scans.isRunning) return;
      running = check(working).finally(() => {
        running = undefined;
      });
    },
    running: () => running,
  };
}

/** The folders of files, up to the roots where they lie in one. Pure. */
function foldersOf(
  files: readonly string[],
  roots: readonly string[],
  platform: NodeJS.Platform,
): readonly string[] {
  const folders = new Set(roots);
  const isInRoot = (folder: string): boolean =>
    roots.some((root) => namesBelow(root, folder, platform) !== undefined);
  for (const file of files) {
    for (let folder = dirname(file); !folders.has(folder); folder = dirname(folder)) {
      folders.add(folder);
      if (!isInRoot(folder)) break;
    }
  }
  return [...folders];
}
