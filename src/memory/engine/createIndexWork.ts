import { sep } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { findFileAt, type FoundFile } from '../files/findMemoryFiles.ts';
import { readMemoryFile, type ReadResult } from '../files/readMemoryFile.ts';
import { readPassageTerms, termsVersion } from '../lexical/lexicalTerms.ts';
import { readMarkdown } from '../markdown/readMarkdown.ts';
import type { SyncReport } from '../memory.ts';
import type { MemorySettings } from '../memorySettings.ts';
import type { NewPassage, VectorSpace } from '../store/rows.ts';
import { embeddedHash, type Embedding } from './createEmbedding.ts';
import type { ForgottenFiles } from './createForgottenFiles.ts';
import type { LiveIndex } from './createLiveIndex.ts';
import { type ApplyToIndex, createScan, shouldReadTranscript } from './createScan.ts';
import {
  type Problems,
  type EngineDeps,
  type EngineState,
  findContext,
  type ProgressReporter,
  type Yielder,
} from './engineState.ts';
import {
  type ChangedPaths,
  createChangedPaths,
  createScanSchedule,
  createSaveSchedule,
  type ScanSchedule,
} from './schedules.ts';

export interface IndexWorkParts {
  readonly deps: EngineDeps;
  readonly state: EngineState;
  readonly yielder: Yielder;
  readonly forgotten: ForgottenFiles;
  readonly problems: Problems;
  readonly progress: ProgressReporter;
  readonly embedding: Embedding;
  /** An empty index that takes the place of the present one at its first save. */
  readonly openFresh: () => Promise<LiveIndex>;
  readonly mayWrite: () => Promise<boolean>;
  readonly onChange: () => void;
}

/** What the one that writes does: keeps the index like the files. */
export interface IndexWork {
  readonly scans: ScanSchedule;
  readonly changes: ChangedPaths;
  /** Removes a file at once. */
  drop(path: string): void;
  /** Stops everything; what was found out is saved. */
  close(): Promise<void>;
}

export function createIndexWork(parts: IndexWorkParts): IndexWork {
  const { deps, state, yielder, forgotten, problems, progress, embedding, onChange } = parts;
  const { clock } = deps;
  const apply = createApplyToIndex(() => state.settings, yielder);
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
    yielder,
    isForgotten: (path) => forgotten.has(path),
    onBroad: () => scans.schedule(),
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
      problems.set('changes', updateFailed(error));
    }
    settled();
  });

  const scan = createScan({ ...parts, apply, afterFile: () => saves.afterFile() });

  const runScan = async (
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
              return scan(fresh, changed, signal);
            },
            catchUp: async (fresh) => {
              const paths = changed.drain();
              await readPaths(fresh, paths);
              return paths.length > 0;
            },
            space: embedding.space(),
            yielder,
          })
        : scan(state.index, changed, signal));
      state.unread = 0;
      state.lastSync = { at: clock.now(), tookMs: report.tookMs };
      problems.set('scan', undefined);
      problems.set('unusable', undefined);
      return report;
    } finally {
      changed.stop();
      state.lastTry = clock.now();
      progress.indexing(undefined);
      settled();
    }
  };

  const scans = createScanSchedule(runScan, (error) => problems.set('scan', updateFailed(error)));

  return {
    scans,
    changes,
    drop(path) {
      state.index.remove(path);
      // An index that is being rebuilt may hold it already.
      changes.add([path]);
      settled();
    },
    async close() {
      await scans.close();
      await changes.close();
      saves.stop();
      await saves.now();
    },
  };
}

/** For a full scan as for single ones. */
function updateFailed(error: unknown): Diagnostic {
  return {
    level: 'error',
    code: 'memory_sync_failed',
    message: `The memory index could not be updated: ${errorMessage(error)}`,
    hint: 'It tries again at the next change. Searches use what is indexed.',
  };
}

/** To be raised when `readMarkdown` cuts passages in another way: then all files are read anew. */
const cutVersion = 1;

/** What passages were made with; an index of another shape is rebuilt while it answers. */
function passageShape({ chunking }: Pick<MemorySettings, 'chunking'>): string {
  return JSON.stringify([cutVersion, termsVersion, chunking.tokens, chunking.overlap]);
}

/** More than these are quicker found by a full scan. */
const manyPaths = 100;

/** When a session that goes on is looked at again, in milliseconds. */
const sessionMs = 6_000;

interface ReadPathsParts {
  readonly deps: EngineDeps;
  readonly state: EngineState;
  readonly apply: ApplyToIndex;
  readonly yielder: Yielder;
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
    await parts.yielder.yieldIfDue();
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

/** Passages of a file that take the place of the old ones in one go: some 30 ms of work. */
const maxAtOnce = 100;

export function createApplyToIndex(settings: () => MemorySettings, yielder: Yielder): ApplyToIndex {
  return async (index, path, result, isSuperseded) => {
    await yielder.yieldIfDue();
    if (isSuperseded(path)) return 'superseded';
    const known = index.file(path);
    if (result.kind === 'gone') {
      if (known === undefined) return 'unchanged';
      index.remove(path);
      return 'removed';
    }
    const file = { ...storedPart(result.file), path };
    if (result.kind === 'left-out') {
      if (known?.leftOut === result.reason && known.label === file.label) {
        index.touch({ ...known, ...file });
        return 'unchanged';
      }
      index.replace({ ...file, hash: '', date: undefined, leftOut: result.reason }, []);
      return known === undefined ? 'added' : 'changed';
    }
    const { hash } = result;
    if (known?.hash === hash && known.label === file.label && known.leftOut === undefined) {
      index.touch({ ...known, ...file });
      return 'unchanged';
    }
    const cut = await cutText(index, result, settings(), yielder);
    if (isSuperseded(path)) return 'superseded';
    // What its name says is in the label.
    const stored = { ...file, hash, date: cut.date, leftOut: undefined };
    if (cut.passages.length <= maxAtOnce) index.replace(stored, cut.passages);
    else {
      const between = { pause: () => yielder.yieldIfDue(), isSuperseded: () => isSuperseded(path) };
      await index.replaceInSlices(stored, cut.passages, between);
      if (isSuperseded(path)) return 'superseded';
    }
    return known === undefined ? 'added' : 'changed';
  };
}

function storedPart({ path, label, source, bytes, modified }: FoundFile): Omit<FoundFile, 'realPath'> {
  return { path, label, source, bytes, modified };
}

async function cutText(
  { dictionary }: LiveIndex,
  { text, file }: Extract<ReadResult, { kind: 'text' }>,
  { chunking }: MemorySettings,
  yielder: Yielder,
): Promise<{ readonly passages: readonly NewPassage[]; readonly date: string | undefined }> {
  const { frontMatter, passages: cut } = readMarkdown(text, chunking);
  const { title = '', tags, aliases, date } = frontMatter;
  const keywords = [title, ...tags, ...aliases].join(' ');
  const passages: NewPassage[] = [];
  for (const passage of cut) {
    const fields = { title: file.label, keywords, headings: passage.headings, body: passage.text };
    passages.push({ ...passage, hash: embeddedHash(passage), terms: readPassageTerms(fields, dictionary) });
    await yielder.yieldIfDue();
  }
  return { passages, date };
}

interface RebuildParts {
  readonly state: EngineState;
  readonly openFresh: () => Promise<LiveIndex>;
  readonly fill: (fresh: LiveIndex) => Promise<SyncReport>;
  /** Reads what changed meanwhile; false where nothing did. */
  readonly catchUp: (fresh: LiveIndex) => Promise<boolean>;
  /** Whose vectors are carried over. */
  readonly space: VectorSpace | undefined;
  readonly yielder: Yielder;
}

/** Fills a second index while the present one answers, then lets it take the place of that in one step. */
async function rebuildIndex(parts: RebuildParts): Promise<SyncReport> {
  const { state, space } = parts;
  const fresh = await parts.openFresh();
  try {
    const report = await parts.fill(fresh);
    if (space !== undefined) await carryVectors(state.index, fresh, space, parts.yielder);
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
  yielder: Yielder,
): Promise<void> {
  const passages: number[] = [];
  from.store.eachVector(space, (passage) => passages.push(passage));
  for (const passage of passages) {
    const hash = from.store.passage(passage)?.hash;
    const vector = hash === undefined ? undefined : from.store.cachedVector(space, hash);
    if (hash !== undefined && vector !== undefined) to.store.cacheVector(space, hash, vector);
    await yielder.yieldIfDue();
  }
}
