import { basename, isAbsolute, join } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import { findFileAt, type FoundFile } from '../files/findMemoryFiles.ts';
import { readMemoryFile } from '../files/readMemoryFile.ts';
import type { MemoryAnswer, MemoryFile, MemorySearchOptions, MemoryStatus, SyncReport } from '../memory.ts';
import type { MemorySettings } from '../memorySettings.ts';
import type { StoredFile } from '../store/rows.ts';
import { answerSearch } from './answerSearch.ts';
import type { ForgottenFile } from './createForgottenFiles.ts';
import type { LiveIndex } from './createLiveIndex.ts';
import { lastScanOf } from './createScan.ts';
import { type EngineDeps, findContext } from './engineState.ts';
import { openEngine, type OpenEngine } from './openEngine.ts';

/**
 * The memory where it runs: in a worker thread, behind messages. Works in slices of a few milliseconds, so that a search that
 * comes in between is answered at once.
 */
export interface MemoryEngine {
  /** The first call opens the index; later ones take effect at once, and read again what they make stale. */
  configure(settings: MemorySettings): Promise<void>;
  search(query: string, options: MemorySearchOptions, signal: AbortSignal): Promise<MemoryAnswer>;
  status(): Promise<MemoryStatus>;
  files(): Promise<readonly MemoryFile[]>;
  find(file: string): Promise<MemoryFile | undefined>;
  readSession(label: string): Promise<string | undefined>;
  sync(options: { readonly rebuild?: boolean }, signal: AbortSignal): Promise<SyncReport>;
  cancel(): Promise<void>;
  changed(paths: readonly string[]): Promise<void>;
  changedBroadly(): Promise<void>;
  turnBegins(): Promise<void>;
  forget(path: string): Promise<void>;
  remember(path: string): Promise<void>;
  close(): Promise<void>;
}

/** The memory itself. Everything waits for the first `configure`, which opens the index. */
export function createMemoryEngine(deps: EngineDeps): MemoryEngine {
  let opening: Promise<OpenEngine> | undefined;
  let closing: Promise<void> | undefined;

  const opened = async (): Promise<OpenEngine> => {
    if (closing !== undefined || opening === undefined) throw notOpen();
    return await opening;
  };

  /** The same, and what another window had forgotten or remembered a moment ago holds here, too. */
  const followed = async (): Promise<OpenEngine> => {
    const engine = await opened();
    if (await engine.forgotten.refresh()) engine.work()?.scans.schedule();
    return engine;
  };

  const close = async (): Promise<void> => {
    await (await opening?.catch(() => undefined))?.close();
  };

  return {
    async configure(settings) {
      if (closing !== undefined) throw notOpen();
      if (opening !== undefined) await (await opening).reconfigure(settings);
      else await (opening = openEngine(deps, settings));
    },
    async search(query, options, signal) {
      const engine = await followed();
      try {
        return await answerSearch(engine, query, options, signal);
      } catch (error) {
        // What it was searching in has been closed meanwhile.
        throw closing === undefined ? error : notOpen();
      }
    },
    status: async () => describeStatus(await opened()),
    async files() {
      const { state, forgotten, work } = await followed();
      const isStale = (path: string): boolean => work()?.changes.has(path) ?? false;
      return describeFiles({ index: state.index, forgotten: forgotten.all(), isStale });
    },
    find: async (file) => await findFile(await followed(), file),
    readSession: async (label) => await readSession(await followed(), label),
    async sync({ rebuild = false }, signal) {
      const { state, work } = await opened();
      const working = work();
      if (working === undefined) throw keptElsewhere();
      // The scan that comes with the start has seen everything, too.
      return await working.scans.request({ rebuild, joins: state.lastSync === undefined }, signal);
    },
    async cancel() {
      (await opened()).work()?.scans.cancel();
    },
    async changed(paths) {
      const { state, work } = await opened();
      state.isWatched = true;
      work()?.changes.add(paths);
    },
    async changedBroadly() {
      const { state, work } = await opened();
      state.isWatched = true;
      work()?.scans.schedule();
    },
    async turnBegins() {
      (await opened()).knownFilesCheck.begin();
    },
    forget: async (path) => await forgetFile(await opened(), path),
    remember: async (path) => await rememberFile(await opened(), path),
    close: () => (closing ??= close()),
  };
}

function notOpen(): PincerError {
  return new PincerError('memory_stopped', 'The memory is not open.', { hint: 'Search once more.' });
}

function keptElsewhere(): PincerError {
  return new PincerError('memory_kept_elsewhere', 'Another window updates the index of this workspace.', {
    hint: 'It follows the files by itself; reindex there, or close that window.',
  });
}

/** The last scan of an earlier process that found something to read. */
function earlierSync({ store }: LiveIndex): Pick<MemoryStatus, 'lastSync'> {
  const scan = lastScanOf(store);
  return scan === undefined ? {} : { lastSync: scan.to };
}

/** How the memory is now. */
function describeStatus(engine: OpenEngine): MemoryStatus {
  const { state, embedding, problems, progress, work } = engine;
  const { index, lastSync, role } = state;
  const now = progress.current();
  const unread = now?.phase === 'index' ? (now.total ?? 0) - now.done : state.unread;
  return {
    isEnabled: true,
    files: index.files().size,
    passages: index.lexical.passages,
    bytes: index.store.bytes,
    indexPath: engine.indexPath,
    stale: unread + (work()?.changes.size ?? 0),
    role,
    generation: index.store.generation,
    vector: embedding.state(),
    problems: problems.all(),
    ...(lastSync === undefined ? earlierSync(index) : { lastSync: lastSync.at, lastSyncMs: lastSync.tookMs }),
    ...(now === undefined ? {} : { progress: now }),
  };
}

interface FilesView {
  readonly index: LiveIndex;
  readonly forgotten: readonly ForgottenFile[];
  readonly isStale: (path: string) => boolean;
}

/** All files that the index holds or was told to leave out, by label. */
function describeFiles({ index, forgotten, isStale }: FilesView): readonly MemoryFile[] {
  const passages = index.store.passagesByFile();
  const out = new Set(forgotten.map(({ path }) => path));
  const known = [...index.files().values()].filter(({ path }) => !out.has(path));
  const taken = forgotten.map((file): MemoryFile => ({
    ...file,
    passages: 0,
    bytes: 0,
    modified: 0,
    state: 'forgotten',
  }));
  return [
    ...known.map((file) => describeFile(file, passages.get(file.path) ?? 0, isStale(file.path))),
    ...taken,
  ].sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
}

function describeFile(file: StoredFile, passages: number, isStale: boolean): MemoryFile {
  const { path, label, source, bytes, modified, leftOut } = file;
  const base = { path, label, source, passages, bytes, modified };
  if (leftOut !== undefined) return { ...base, state: 'left-out', reason: leftOut };
  return { ...base, state: isStale ? 'stale' : 'indexed' };
}

/** One that belongs to the memory and is not read yet. */
function describeFound({ path, label, source, bytes, modified }: FoundFile): MemoryFile {
  return { path, label, source, passages: 0, bytes, modified, state: 'stale' };
}

/** The file that a label or a path names, where the index holds it or is to, forgotten ones included. */
async function findFile(engine: OpenEngine, file: string): Promise<MemoryFile | undefined> {
  const { deps, state, forgotten, work } = engine;
  const { index, settings } = state;
  const orForgotten = (each: MemoryFile): MemoryFile =>
    forgotten.has(each.path) ? { ...each, passages: 0, state: 'forgotten' } : each;
  const known = index.file(file) ?? [...index.files().values()].find(({ label }) => label === file);
  if (known !== undefined) {
    const isStale = work()?.changes.has(known.path) ?? false;
    return orForgotten(describeFile(known, index.store.passagesByFile().get(known.path) ?? 0, isStale));
  }
  for (const path of pathsFor(file, settings)) {
    const found = await findFileAt(findContext(deps, settings), path);
    if (found !== undefined) return orForgotten(describeFound(found));
  }
  return undefined;
}

/** The absolute paths that a label or a path can mean, the likeliest first. */
function pathsFor(file: string, { roots, extraPaths }: MemorySettings): readonly string[] {
  if (isAbsolute(file)) return [file];
  const [name, ...rest] = file.split('/');
  const named = roots.filter((root) => root.name === name && rest.length > 0);
  return [
    ...named.map((root) => join(root.path, ...rest)),
    ...roots.map((root) => join(root.path, file)),
    ...extraPaths.map((path) => join(path, file)),
  ];
}

/** What was said in a session, as passages count its lines; undefined where it is not indexed or gone. */
async function readSession(
  { deps, state, forgotten }: OpenEngine,
  label: string,
): Promise<string | undefined> {
  const known = [...state.index.files().values()].find(
    (file) => file.source === 'sessions' && file.label === label && !forgotten.has(file.path),
  );
  const result = known && (await readMemoryFile(deps.fs, known));
  return result?.kind === 'text' ? result.text : undefined;
}

/** Takes a file out at once, and keeps it out. @throws PincerError `memory_forgotten_unreadable`, `io_*`: then nothing changed */
async function forgetFile({ state, forgotten, work }: OpenEngine, path: string): Promise<void> {
  const known = state.index.file(path);
  await forgotten.add({ path, label: known?.label ?? basename(path), source: known?.source ?? 'memory' });
  work()?.drop(path);
}

/** Lets a file that was forgotten in again; it is read soon. Throws as `forgetFile`. */
async function rememberFile({ forgotten, work }: OpenEngine, path: string): Promise<void> {
  await forgotten.remove(path);
  work()?.changes.add([path]);
}
