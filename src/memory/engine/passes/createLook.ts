import { findMemoryFiles } from '../../files/findMemoryFiles.ts';
import { planSync } from '../../files/planSync.ts';
import { readMemoryFile } from '../../files/readMemoryFile.ts';
import type { SyncReport } from '../../memory.ts';
import type { Breather } from '../createBreather.ts';
import type { Forgotten } from '../createForgotten.ts';
import type { Problems } from '../createProblems.ts';
import type { ProgressKeeper } from '../createProgress.ts';
import type { EngineDeps } from '../engineDeps.ts';
import type { EngineState } from '../engineState.ts';
import { findContext } from '../findContext.ts';
import type { LiveIndex } from '../index/createLiveIndex.ts';
import type { ApplyRead } from './createApplyRead.ts';
import type { ChangeWatch } from './createChangedPaths.ts';
import { keepLastLook, lastLookOf } from './lastLook.ts';
import { runFullPass } from './runFullPass.ts';

/** Files nearest to the top; beyond, a workspace has to say what counts. */
const maxFiles = 50_000;

export interface LookParts {
  readonly deps: EngineDeps;
  readonly state: EngineState;
  readonly breather: Breather;
  readonly forgotten: Forgotten;
  readonly problems: Problems;
  readonly progress: ProgressKeeper;
  readonly apply: ApplyRead;
  /** After each file of an index that answers; may save. */
  readonly afterFile: () => Promise<void> | undefined;
}

/**
 * Looks at all files, for an index that answers or for one that is to; leaves out what changes meanwhile. Rejects as `runFullPass`
 * does.
 */
export type Look = (index: LiveIndex, changed: ChangeWatch, signal: AbortSignal) => Promise<SyncReport>;

export function createLook(parts: LookParts): Look {
  const { deps, state, breather, forgotten, problems, progress, apply } = parts;
  const { clock, fs } = deps;
  return async (index, changed, signal) => {
    const isLive = index === state.index;
    const from = clock.now();
    let reads = 0;
    const report = await runFullPass(
      {
        index,
        breather,
        apply,
        find: async (stop) => {
          const found = await findMemoryFiles({
            ...findContext(deps, state.settings),
            maxFiles,
            signal: stop,
            breathe: async () => await breather.pause(),
          });
          return { ...found, files: found.files.filter(({ path }) => !forgotten.has(path)) };
        },
        plan: (known, found) =>
          planSync(known, found, { now: clock.now(), lastLook: lastLookOf(index.store) }),
        read: (file) => {
          reads += 1;
          return readMemoryFile(fs, file);
        },
        isSuperseded: (path) => changed.has(path),
        isForgotten: (path) => forgotten.has(path),
        onFound: ({ problems: found }) => problems.set('files', found),
        onProgress(now) {
          if (isLive && now.total !== undefined) state.unread = now.total - now.done;
          progress.indexing(now);
        },
        afterFile: () => (isLive ? parts.afterFile() : undefined),
        monotonic: () => clock.monotonic(),
      },
      signal,
    );
    // Where nothing was read, what the last look says of the files' times still holds, and nothing need be saved.
    if (reads > 0) keepLastLook(index.store, { from, to: clock.now() });
    return report;
  };
}
