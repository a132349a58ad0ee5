import { sep } from 'node:path';
import { findFileAt, type FoundFile } from '../../files/findMemoryFiles.ts';
import { readMemoryFile } from '../../files/readMemoryFile.ts';
import { shouldReadTranscript } from '../../files/sessions/shouldReadTranscript.ts';
import type { ApplyRead } from './createApplyRead.ts';
import type { Breather } from '../createBreather.ts';
import type { LiveIndex } from '../index/createLiveIndex.ts';
import type { EngineDeps } from '../engineDeps.ts';
import type { EngineState } from '../engineState.ts';
import { findContext } from '../findContext.ts';

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
export function createReadPaths(
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
