import type { SyncReport } from '../../memory.ts';
import { createApplyRead } from './createApplyRead.ts';
import type { Breather } from '../createBreather.ts';
import { createChangedPaths, type ChangedPaths } from './createChangedPaths.ts';
import type { Embedding } from '../createEmbedding.ts';
import type { Forgotten } from '../createForgotten.ts';
import type { LiveIndex } from '../index/createLiveIndex.ts';
import { createLook } from './createLook.ts';
import { createPasses, type Passes } from './createPasses.ts';
import type { Problems } from '../createProblems.ts';
import type { ProgressKeeper } from '../createProgress.ts';
import { createReadPaths } from './createReadPaths.ts';
import { createSaveSchedule } from './createSaveSchedule.ts';
import type { EngineDeps } from '../engineDeps.ts';
import type { EngineState } from '../engineState.ts';
import { passageShape } from './passageShape.ts';
import { passFailed } from '../problems.ts';
import { rebuildIndex } from './rebuildIndex.ts';

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
