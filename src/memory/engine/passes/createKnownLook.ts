import { dirname, join } from 'node:path';
import { namesBelow } from '../../files/fileTree.ts';
import { inBatches } from '../../files/findMemoryFiles.ts';
import type { EngineDeps } from '../engineDeps.ts';
import type { EngineState } from '../engineState.ts';
import type { IndexWork } from './createIndexWork.ts';

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
