import { join } from 'node:path';
import { errorMessage } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { createThrottle } from '../../host/createThrottle.ts';
import { createWriterLock } from '../../host/createWriterLock.ts';
import { loadSqlite } from '../../host/loadSqlite.ts';
import type { Clock } from '../../host/ports.ts';
import { createProcessOwner } from '../../host/processOwner.ts';
import type { MemorySettings } from '../memorySettings.ts';
import { createGenerationWatch } from '../store/database.ts';
import { openStore } from '../store/openStore.ts';
import { createEmbedding, createProviderSearch, type Embedding } from './createEmbedding.ts';
import { createForgottenFiles, type ForgottenFiles } from './createForgottenFiles.ts';
import { createIndexWork, type IndexWork, type IndexWorkParts } from './createIndexWork.ts';
import { createKnownFilesCheck, type KnownFilesCheck } from './createScan.ts';
import { type LiveIndex, loadIndex } from './createLiveIndex.ts';
import {
  createProblems,
  type Problems,
  type EngineDeps,
  type EngineState,
  createProgress,
  type ProgressReporter,
  createYielder,
} from './engineState.ts';

/** An engine whose index is open. */
export interface OpenEngine {
  readonly deps: EngineDeps;
  readonly state: EngineState;
  readonly indexPath: string;
  readonly forgotten: ForgottenFiles;
  readonly embedding: Embedding;
  readonly problems: Problems;
  readonly progress: ProgressReporter;
  readonly roles: Roles;
  /** Undefined for one that reads. */
  readonly work: () => IndexWork | undefined;
  readonly knownFilesCheck: KnownFilesCheck;
  reconfigure(settings: MemorySettings): Promise<void>;
  close(): Promise<void>;
}

/** Opens the index, and begins to keep it or to follow whoever does. */
export async function openEngine(deps: EngineDeps, settings: MemorySettings): Promise<OpenEngine> {
  const { clock, emit, fs, place } = deps;
  const changes = createThrottle(clock, 100, () => emit({ kind: 'changed' }));
  const onChange = (): void => changes.request();
  const problems = createProblems((diagnostic) => emit({ kind: 'problem', diagnostic }));
  const progress = createProgress(clock, (now) => emit({ kind: 'progress', progress: now }));
  const forgotten = createForgottenFiles(fs, join(place.folder, 'forgotten.json'), problems);
  const file = await openIndexFile(deps, problems);
  const embedding = createEmbedding({
    clock,
    index: () => state.index,
    onProgress: (now) => progress.embedding(now),
    onChange() {
      const { state: now, reason } = embedding.state();
      problems.set('embedding', now === 'failing' ? embeddingFails(reason ?? '') : undefined);
      onChange();
    },
  });
  const writing = createWriting({
    deps,
    state: () => state,
    yielder: createYielder(clock, deps.yieldToEventLoop),
    forgotten,
    problems,
    progress,
    embedding,
    openFresh: () => file.openFresh(state.index.store.generation),
    onChange,
    onReader: () => roles.read(),
  });
  const reload = async (): Promise<void> => {
    const next = await file.open();
    const old = state.index;
    next.useVectors(embedding.space());
    state.index = next;
    old.close();
    onChange();
  };
  const roles = createRoles({
    clock,
    // One that follows goes on with what it has.
    takeLock: () => writing.takeLock(false),
    hasMoved: () => file.hasMoved(),
    reload,
    async onWriter() {
      await reload();
      writing.begin();
    },
  });

  // A memory that can't be saved is better than none; each save tries again.
  const role = (await writing.takeLock(true)) ? 'writing' : 'reading';
  await forgotten.refresh();
  const state: EngineState = {
    settings,
    index: await file.open(),
    role,
    lastSync: undefined,
    unread: 0,
    lastTry: clock.now(),
    isWatched: false,
  };
  const searchProvider = createProviderSearch(deps, () => state.settings, embedding);
  const knownFilesCheck = createKnownFilesCheck(
    deps,
    () => state,
    () => writing.work(),
  );
  const findProvider = async (): Promise<void> => {
    await searchProvider();
    if (writing.work() !== undefined) void embedding.run();
  };
  if (role === 'writing') writing.begin();
  else roles.read();
  void findProvider();

  return {
    deps,
    state,
    indexPath: file.path,
    forgotten,
    embedding,
    problems,
    progress,
    roles,
    work: () => writing.work(),
    knownFilesCheck,
    async reconfigure(next) {
      const before = state.settings;
      state.settings = next;
      const scans = writing.work()?.scans;
      if (!isSame(withoutVectors(before), withoutVectors(next))) {
        if (scans?.isRunning === true) scans.restart();
        else scans?.schedule();
      }
      if (!isSame(vectorSettings(before), vectorSettings(next))) await findProvider();
    },
    async close() {
      await roles.stop();
      await knownFilesCheck.running();
      await writing.stop();
      await embedding.close();
      changes.cancel();
      progress.close();
      try {
        await writing.release();
      } finally {
        state.index.close();
      }
    },
  };
}

/** All that says which files are read, and how. */
function withoutVectors({
  query: _query,
  embeddings: _embeddings,
  keys: _keys,
  isTrusted: _isTrusted,
  ...rest
}: MemorySettings) {
  return rest;
}

function vectorSettings({ embeddings, keys, isTrusted }: MemorySettings) {
  return { embeddings, keys, isTrusted };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether this engine is the one that keeps the index, and what it does then. */
interface Writing {
  /** True where this one may write from now on; `onFailure` where nobody can tell. Never rejects. */
  takeLock(onFailure: boolean): Promise<boolean>;
  /** Begins to keep the index like the files; for who has the lock. */
  begin(): void;
  /** Undefined for one that reads. */
  work(): IndexWork | undefined;
  /** Stops and saves what was found out; the lock is still held. */
  stop(): Promise<void>;
  /** Gives the lock to the next who asks. @throws PincerError `io_*` */
  release(): Promise<void>;
}

interface WritingParts extends Omit<IndexWorkParts, 'mayWrite' | 'state'> {
  readonly deps: EngineDeps;
  readonly state: () => EngineState;
  /** Another has taken its place, and this one has stopped to write. */
  readonly onReader: () => void;
}

function createWriting(parts: WritingParts): Writing {
  const { deps, problems } = parts;
  const lock = createWriterLock({
    fs: deps.fs,
    clock: deps.clock,
    folder: deps.place.folder,
    owner: createProcessOwner(deps.startTimeOf, deps.ownPid),
    instance: deps.instance,
    hasEnded: (instance) => deps.endedInstances.includes(instance),
  });
  let work: IndexWork | undefined;

  const mayWrite = async (): Promise<boolean> => {
    const state = parts.state();
    const isOurs = await lock.tryAcquire();
    problems.set('lock', undefined);
    if (isOurs || state.role === 'reading') return isOurs;
    // Another window took this one for ended, as after a long sleep: one of both has to step back.
    state.role = 'reading';
    parts.onChange();
    const old = work;
    work = undefined;
    void old?.close().then(parts.onReader);
    return false;
  };

  return {
    async takeLock(onFailure) {
      try {
        return await lock.tryAcquire();
      } catch (error) {
        problems.set('lock', lockFailed(error));
        return onFailure;
      }
    },
    begin() {
      const state = parts.state();
      state.role = 'writing';
      work = createIndexWork({ ...parts, state, mayWrite });
      work.scans.schedule();
    },
    work: () => work,
    async stop() {
      await work?.close();
    },
    async release() {
      await lock.release();
    },
  };
}

/** How often one that reads looks for news and for a free place, in milliseconds; and how often at most for its searches. */
const followMs = 3_000;

const searchMs = 500;

interface RolesParts {
  readonly clock: Clock;
  /** True where this one may write from now on. Must not reject. */
  readonly takeLock: () => Promise<boolean>;
  /** True where the file holds something else than what was taken over. Must not reject. */
  readonly hasMoved: () => Promise<boolean>;
  /** Takes over what the file holds now. Must not reject. */
  readonly reload: () => Promise<void>;
  /** The writer has gone, and this one takes its place, from the newest file. Must not reject. */
  readonly onWriter: () => Promise<void>;
}

/** Who keeps the index, and how the others follow. */
interface Roles {
  /** Follows whoever writes, and takes that place once it is free. */
  read(): void;
  /** For a search of one that reads: checks whether the file is new. */
  follow(): void;
  stop(): Promise<void>;
}

function createRoles(parts: RolesParts): Roles {
  const { clock } = parts;
  let isReading = false;
  let isStopped = false;
  let lastCheck = Number.NEGATIVE_INFINITY;
  let cancelTimer = (): void => undefined;
  let working: Promise<void> | undefined;

  const check = async (): Promise<void> => {
    lastCheck = clock.monotonic();
    if (await parts.takeLock()) {
      isReading = false;
      cancelTimer();
      await parts.onWriter();
      return;
    }
    if (isReading && (await parts.hasMoved())) await parts.reload();
  };

  const checkOnce = (): Promise<void> => (working ??= check().finally(() => (working = undefined)));

  const watch = (): void => {
    cancelTimer = clock.after(followMs, () => {
      void checkOnce().then(() => {
        if (isReading) watch();
      });
    });
  };

  return {
    read() {
      // One that steps back may still be at it when the engine closes.
      if (isStopped) return;
      isReading = true;
      watch();
    },
    follow() {
      if (isReading && clock.monotonic() - lastCheck >= searchMs) void checkOnce();
    },
    async stop() {
      isStopped = true;
      isReading = false;
      cancelTimer();
      await working;
    },
  };
}

/** The index on disk, and how it becomes one in use. */
interface IndexFile {
  /** Absolute path. */
  readonly path: string;
  /** What the file holds now; an empty one where that can't be used, which is a problem until a full scan is done. */
  open(): Promise<LiveIndex>;
  /** An empty one, which takes the place of the file at its first save, as the generation after this one. */
  openFresh(generation: number): Promise<LiveIndex>;
  /** True where the file changed since `open`. */
  hasMoved(): Promise<boolean>;
}

/** @throws PincerError `database_engine_broken` where sql.js can't be had */
export async function openIndexFile(
  { fs, place }: Pick<EngineDeps, 'fs' | 'place'>,
  problems: Problems,
): Promise<IndexFile> {
  const path = join(place.folder, 'index.sqlite');
  const sqlite = await loadSqlite(fs, place.wasmFile);
  const watch = createGenerationWatch({ fs, file: path });
  const options = { fs, sqlite, file: path };
  return {
    path,
    async open() {
      await watch.mark();
      const { store, state, problem } = await openStore(options);
      problems.set(
        'unusable',
        state === 'unusable'
          ? {
              level: 'warn',
              code: 'memory_index_unusable',
              message: `The index of the memory can't be used, so it is rebuilt: ${problem ?? ''}`,
              source: path,
            }
          : undefined,
      );
      return loadIndex(store);
    },
    async openFresh(generation) {
      const nothing = { ...options, fs: { ...fs, stat: () => Promise.resolve(undefined) }, generation };
      return loadIndex((await openStore(nothing)).store);
    },
    hasMoved: () => watch.hasMoved(),
  };
}

/** The index can't be saved; it is kept in memory. */
function lockFailed(error: unknown): Diagnostic {
  return {
    level: 'warn',
    code: 'memory_folder_unusable',
    message: `The folder of the memory's index can't be written to: ${errorMessage(error)}`,
    hint: 'Searches go on. Make room on the disk or check its permissions.',
  };
}

/** `reason`: a sentence of the provider's. */
function embeddingFails(reason: string): Diagnostic {
  return {
    level: 'warn',
    code: 'memory_embedding_failing',
    message: `Searches go by text alone for now: ${reason}`,
    hint: 'It is retried automatically.',
  };
}
