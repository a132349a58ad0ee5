import { dirname, join, sep } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { namesBelow } from '../files/fileTree.ts';
import { findFileAt, type FoundFile, inBatches } from '../files/findMemoryFiles.ts';
import { readMemoryFile } from '../files/readMemoryFile.ts';
import { termsVersion } from '../lexical/lexicalTerms.ts';
import type { SyncReport } from '../memory.ts';
import type { MemorySettings } from '../memorySettings.ts';
import type { VectorSpace } from '../store/rows.ts';
import type { Embedding } from './createEmbedding.ts';
import type { Forgotten } from './createForgotten.ts';
import type { LiveIndex } from './createLiveIndex.ts';
import { type ApplyRead, createApplyRead, createLook, shouldReadTranscript } from './createLook.ts';
import {
  type Breather,
  type EngineDeps,
  type EngineState,
  findContext,
  type Problems,
  type ProgressKeeper,
} from './engineParts.ts';
import {
  type ChangedPaths,
  createChangedPaths,
  createPasses,
  createSaveSchedule,
  type Passes,
} from './schedules.ts';

export interface IndexWorkParts {
  readonly deps: EngineDeps;
  readonly state: EngineState;
  readonly breather: Breather;
  readonly forgotten: Forgotten;
  readonly problems: Problems;
  readonly progress: ProgressKeeper;
  readonly embedding: Embedding;
  /** An empty index that takes the place of the present one at its first save. */
  readonly openFresh: () => Promise<LiveIndex>;
  readonly mayWrite: () => Promise<boolean>;
  readonly onChange: () => void;
}

/** What the one that writes does: keeps the index like the files. */
export interface IndexWork {
  readonly passes: Passes;
  readonly changes: ChangedPaths;
  /** Removes a file at once. */
  drop(path: string): void;
  /** Stops everything; what was found out is saved. */
  close(): Promise<void>;
}

export function createIndexWork(parts: IndexWorkParts): IndexWork {
  const { deps, state, breather, forgotten, problems, progress, embedding, onChange } = parts;
  const { clock } = deps;
  const apply = createApplyRead(() => state.settings, breather);
  const saves = createSaveSchedule({
    clock,
    store: () => state.index.store,
    problems,
    mayWrite: parts.mayWrite,
    onSaved: onChange,
  });
  const readPaths = createReadPaths({
    deps,
    state,
    apply,
    breather,
    isForgotten: (path) => forgotten.has(path),
    onBroad: () => passes.schedule(),
    onLater: (path, ms) => clock.after(ms, () => changes.add([path])),
  });

  const settled = (): void => {
    onChange();
    saves.soon();
    void embedding.run();
  };

  const changes = createChangedPaths(clock, async (paths) => {
    try {
      await readPaths(state.index, paths);
      problems.set('changes', undefined);
    } catch (error) {
      problems.set('changes', passFailed(error));
    }
    settled();
  });

  const look = createLook({ ...parts, apply, afterFile: () => saves.afterFile() });

  const runPass = async (
    { rebuild }: { readonly rebuild: boolean },
    signal: AbortSignal,
  ): Promise<SyncReport> => {
    const shape = passageShape(state.settings);
    const changed = changes.watch();
    try {
      await forgotten.refresh();
      const isEmpty = state.index.files().size === 0;
      if (isEmpty) state.index.store.setMeta('shape', shape);
      const isOther = state.index.store.meta('shape') !== shape;
      const report = await (!isEmpty && (rebuild || isOther)
        ? rebuildIndex({
            state,
            openFresh: parts.openFresh,
            fill: (fresh) => {
              fresh.store.setMeta('shape', shape);
              return look(fresh, changed, signal);
            },
            catchUp: async (fresh) => {
              const paths = changed.drain();
              await readPaths(fresh, paths);
              return paths.length > 0;
            },
            space: embedding.space(),
            breather,
          })
        : look(state.index, changed, signal));
      state.unread = 0;
      state.lastSync = { at: clock.now(), tookMs: report.tookMs };
      problems.set('pass', undefined);
      problems.set('unusable', undefined);
      return report;
    } finally {
      changed.stop();
      state.lastTry = clock.now();
      progress.indexing(undefined);
      settled();
    }
  };

  const passes = createPasses(runPass, (error) => problems.set('pass', passFailed(error)));

  return {
    passes,
    changes,
    drop(path) {
      state.index.remove(path);
      // An index that is being rebuilt may hold it already.
      changes.add([path]);
      settled();
    },
    async close() {
      await passes.close();
      await changes.close();
      saves.stop();
      await saves.now();
    },
  };
}

/** For a look at all files as for single ones. */
function passFailed(error: unknown): Diagnostic {
  return {
    level: 'error',
    code: 'memory_sync_failed',
    message: `The memory could not look at its files: ${errorMessage(error)}`,
    hint: 'It tries again at the next change. Searches answer from what it has.',
  };
}

/** To be raised when passages are cut in another way: then all files are read anew. */
const cutVersion = 1;

/** What passages were made with; an index of another shape is rebuilt while it answers. */
function passageShape({ chunking }: Pick<MemorySettings, 'chunking'>): string {
  return JSON.stringify([cutVersion, termsVersion, chunking.tokens, chunking.overlap]);
}

/** More than these are quicker found by a look at everything. */
const manyPaths = 100;
/** When a session that goes on is looked at again, in milliseconds. */
const sessionMs = 6_000;

export interface ReadPathsParts {
  readonly deps: EngineDeps;
  readonly state: EngineState;
  readonly apply: ApplyRead;
  readonly breather: Breather;
  readonly isForgotten: (path: string) => boolean;
  /** A folder changed, or many files did. */
  readonly onBroad: () => void;
  readonly onLater: (path: string, ms: number) => void;
}

/** Reads single files that changed: saved, new, or gone. */
function createReadPaths(
  parts: ReadPathsParts,
): (index: LiveIndex, paths: readonly string[]) => Promise<void> {
  const { deps, state, apply } = parts;

  const isDue = (index: LiveIndex, file: FoundFile): boolean => {
    if (file.source !== 'sessions') return true;
    return shouldReadTranscript(index.file(file.path), file, deps.clock.now());
  };

  const readPath = async (index: LiveIndex, path: string): Promise<void> => {
    await parts.breather.pause();
    const found = await findFileAt(findContext(deps, state.settings), path);
    if (found === undefined || parts.isForgotten(path) || parts.isForgotten(found.path)) {
      if (index.file(path) !== undefined) index.remove(path);
    } else if (isDue(index, found)) {
      await apply(index, found.path, await readMemoryFile(deps.fs, found), parts.isForgotten);
    } else parts.onLater(path, sessionMs);
  };

  /** With those that the index knows below a folder. */
  const withFilesBelow = (index: LiveIndex, path: string): readonly string[] => {
    if (index.file(path) !== undefined) return [path];
    const below = [...index.files().keys()].filter((each) => each.startsWith(path + sep));
    return [path, ...below];
  };

  return async (index, paths) => {
    const all = [...new Set(paths.flatMap((path) => withFilesBelow(index, path)))];
    if (all.length > manyPaths && index === state.index) {
      parts.onBroad();
      return;
    }
    for (const path of all) {
      await readPath(index, path);
      if (index.file(path) === undefined && (await isFolder(deps, path))) parts.onBroad();
    }
  };
}

async function isFolder({ fs }: EngineDeps, path: string): Promise<boolean> {
  return (await fs.lstat(path))?.kind === 'directory';
}

export interface RebuildParts {
  readonly state: EngineState;
  readonly openFresh: () => Promise<LiveIndex>;
  readonly fill: (fresh: LiveIndex) => Promise<SyncReport>;
  /** Reads what changed meanwhile; false where nothing did. */
  readonly catchUp: (fresh: LiveIndex) => Promise<boolean>;
  /** Whose vectors are carried over. */
  readonly space: VectorSpace | undefined;
  readonly breather: Breather;
}

/** Fills a second index while the present one answers, then lets it take the place of that in one step. */
async function rebuildIndex(parts: RebuildParts): Promise<SyncReport> {
  const { state, space } = parts;
  const fresh = await parts.openFresh();
  try {
    const report = await parts.fill(fresh);
    if (space !== undefined) await carryVectors(state.index, fresh, space, parts.breather);
    while (await parts.catchUp(fresh));
    const old = state.index;
    fresh.useVectors(space);
    state.index = fresh;
    old.close();
    return report;
  } finally {
    if (state.index !== fresh) fresh.close();
  }
}

/** Texts that stay the same need not be embedded again. */
async function carryVectors(
  from: LiveIndex,
  to: LiveIndex,
  space: VectorSpace,
  breather: Breather,
): Promise<void> {
  const passages: number[] = [];
  from.store.eachVector(space, (passage) => passages.push(passage));
  for (const passage of passages) {
    const hash = from.store.passage(passage)?.hash;
    const vector = hash === undefined ? undefined : from.store.cachedVector(space, hash);
    if (hash !== undefined && vector !== undefined) to.store.cacheVector(space, hash, vector);
    await breather.pause();
  }
}

/**
 * A look at the files that the index holds, at the folders above them and their `.gitignore`: far less than a look at all files. What
 * it can't see are files in folders that hold none so far, below folders that hold none.
 */
export interface KnownLook {
  /** Hands on what is no longer as it was read; not where a look at all files does that anyway. */
  begin(): void;
  /** Resolves when the look that runs now has ended; undefined where none does. */
  running(): Promise<void> | undefined;
}

/** Beyond, one look would take longer than a search waits for it: there the watchers have to do. */
const maxFiles = 10_000;
/** A folder that changed so shortly before it was listed may have changed once more afterwards. Milliseconds. */
const tickMs = 50;

export function createKnownLook(
  deps: EngineDeps,
  state: () => EngineState,
  work: () => IndexWork | undefined,
): KnownLook {
  let running: Promise<void> | undefined;

  const look = async ({ changes, passes }: IndexWork): Promise<void> => {
    const { index, lastSync, settings } = state();
    const files = [...index.files().values()].filter(({ source }) => source === 'memory');
    if (lastSync === undefined || files.length > maxFiles) return;
    const pace = { signal: new AbortController().signal, breathe: deps.breathe };
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
    if (touched.includes(true)) passes.schedule();
  };

  return {
    begin() {
      const working = work();
      if (running !== undefined || working === undefined || working.passes.isRunning) return;
      running = look(working).finally(() => {
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
