import { join } from 'node:path';
import { createThrottle } from '../../host/createThrottle.ts';
import type { MemorySettings } from '../memorySettings.ts';
import { createBreather } from './createBreather.ts';
import { createEmbedding, type Embedding } from './createEmbedding.ts';
import { createForgotten, type Forgotten } from './createForgotten.ts';
import { createProblems, type Problems } from './createProblems.ts';
import { createProgress, type ProgressKeeper } from './createProgress.ts';
import { createProviderSearch } from './createProviderSearch.ts';
import { createRoles, type Roles } from './createRoles.ts';
import { createWriting } from './createWriting.ts';
import type { EngineDeps } from './engineDeps.ts';
import type { EngineState } from './engineState.ts';
import { openIndexFile } from './index/openIndexFile.ts';
import type { IndexWork } from './passes/createIndexWork.ts';
import { createKnownLook, type KnownLook } from './passes/createKnownLook.ts';
import { embeddingFails } from './problems.ts';

/** An engine whose index is open. */
export interface OpenEngine {
  readonly deps: EngineDeps;
  readonly state: EngineState;
  readonly indexPath: string;
  readonly forgotten: Forgotten;
  readonly embedding: Embedding;
  readonly problems: Problems;
  readonly progress: ProgressKeeper;
  readonly roles: Roles;
  /** Undefined for one that reads. */
  readonly work: () => IndexWork | undefined;
  readonly knownLook: KnownLook;
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
  const forgotten = createForgotten(fs, join(place.folder, 'forgotten.json'), problems);
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
    breather: createBreather(clock, deps.breathe),
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
  const knownLook = createKnownLook(
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
    knownLook,
    async reconfigure(next) {
      const before = state.settings;
      state.settings = next;
      const passes = writing.work()?.passes;
      if (!isSame(withoutVectors(before), withoutVectors(next))) {
        if (passes?.isRunning === true) passes.restart();
        else passes?.schedule();
      }
      if (!isSame(vectorSettings(before), vectorSettings(next))) await findProvider();
    },
    async close() {
      await roles.stop();
      await knownLook.running();
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
