import { join } from 'node:path';
import { createProcessOwner } from '../../host/processOwner.ts';
import type { ResolvedEmbedder } from '../embeddings/embedder.ts';
import { createFindPackage } from '../embeddings/local/findPackage.ts';
import { resolveEmbedder } from '../embeddings/resolveEmbedder.ts';
import type { MemorySettings } from '../memorySettings.ts';
import { createWriterLock } from '../store/createWriterLock.ts';
import { createBreather } from './createBreather.ts';
import { createEmbedding, type Embedding } from './createEmbedding.ts';
import { createForgotten, type Forgotten } from './createForgotten.ts';
import { createIndexWork, type IndexWork } from './passes/createIndexWork.ts';
import { createProblems, type Problems } from './createProblems.ts';
import { createProgress, type ProgressKeeper } from './createProgress.ts';
import { createRoles, type Roles } from './createRoles.ts';
import { createThrottle } from '../../host/createThrottle.ts';
import type { EngineDeps } from './engineDeps.ts';
import type { EngineState } from './engineState.ts';
import { openIndexFile } from './index/openIndexFile.ts';
import { embeddingFails, lockFailed } from './problems.ts';

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
  const breather = createBreather(clock, deps.breathe);
  const forgotten = createForgotten(fs, join(place.folder, 'forgotten.json'), problems);
  const file = await openIndexFile(deps, problems);
  const lock = createWriterLock({
    fs,
    clock,
    folder: place.folder,
    owner: createProcessOwner(deps.startTimeOf, deps.ownPid),
    instance: deps.instance,
    hasEnded: (instance) => deps.endedInstances.includes(instance),
  });
  let work: IndexWork | undefined;

  const takeLock = async (): Promise<boolean> => {
    try {
      return await lock.tryAcquire();
    } catch (error) {
      // A memory that can't be saved is better than none; each save tries again.
      problems.set('lock', lockFailed(error));
      return true;
    }
  };

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
    takeLock,
    hasMoved: () => file.hasMoved(),
    reload,
    async onWriter() {
      await reload();
      beginWork();
    },
  });

  const role = (await takeLock()) ? 'writing' : 'reading';
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

  const beginWork = (): void => {
    state.role = 'writing';
    work = createIndexWork({
      deps,
      state,
      breather,
      forgotten,
      problems,
      progress,
      embedding,
      openFresh: () => file.openFresh(state.index.store.generation),
      mayWrite,
      onChange,
    });
    work.passes.schedule();
  };

  const mayWrite = async (): Promise<boolean> => {
    const isOurs = await lock.tryAcquire();
    problems.set('lock', undefined);
    if (isOurs || state.role === 'reading') return isOurs;
    // Another window took this one for ended, as after a long sleep: one of both has to step back.
    state.role = 'reading';
    onChange();
    const old = work;
    work = undefined;
    void old?.close().then(() => roles.read());
    return false;
  };

  const resolve = (): Promise<ResolvedEmbedder> => {
    const { embeddings, keys, roots } = state.settings;
    const findPackage = createFindPackage({ fs, untrusted: roots.map((root) => root.path) });
    return resolveEmbedder(embeddings, keys, { ...deps, findPackage });
  };
  let finding = Promise.resolve();
  const findProvider = (): Promise<void> =>
    (finding = finding.then(async () => {
      await embedding.configure(resolve);
      if (work !== undefined) void embedding.run();
    }));

  if (role === 'writing') beginWork();
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
    work: () => work,
    async reconfigure(next) {
      const before = state.settings;
      state.settings = next;
      if (!isSame(withoutVectors(before), withoutVectors(next))) {
        if (work?.passes.isRunning === true) work.passes.restart();
        else work?.passes.schedule();
      }
      if (isSame([before.embeddings, before.keys], [next.embeddings, next.keys])) return;
      await findProvider();
    },
    async close() {
      await roles.stop();
      await work?.close();
      await embedding.close();
      changes.cancel();
      progress.close();
      try {
        await lock.release();
      } finally {
        state.index.close();
      }
    },
  };
}

/** All that says which files are read, and how. */
function withoutVectors({ query: _query, embeddings: _embeddings, keys: _keys, ...rest }: MemorySettings) {
  return rest;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
