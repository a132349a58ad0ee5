import { throwIfAborted } from '../../base/abort.ts';
import type { FileSystem } from '../../host/ports.ts';
import { flavourOf, type WorkspacePlace } from '../paths/workspaceLayout.ts';

/** Folders that hold no work of the user; one that is named as the start is walked all the same. */
const skipped = new Set(['.git', '.hg', '.svn', 'node_modules']);

/**
 * Every file below a folder, in the order of their names, folder by folder. Links are not followed, so that nothing outside
 * is reached and no loop is walked. A folder that can't be read is passed to `onUnreadable` and left out.
 */
export async function* walkFiles(
  fs: FileSystem,
  platform: NodeJS.Platform,
  start: WorkspacePlace,
  signal: AbortSignal,
  onUnreadable: (place: WorkspacePlace) => void,
): AsyncGenerator<WorkspacePlace> {
  throwIfAborted(signal);
  let entries;
  try {
    entries = await fs.readDirectory(pathOf(platform, start));
  } catch {
    onUnreadable(start);
    return;
  }
  for (const { name, kind } of entries) {
    const place = { root: start.root, segments: [...start.segments, name] };
    if (kind === 'file') yield place;
    else if (kind === 'directory' && !skipped.has(name)) {
      yield* walkFiles(fs, platform, place, signal, onUnreadable);
    }
  }
}

/** The absolute path of a place. */
export function pathOf(platform: NodeJS.Platform, place: WorkspacePlace): string {
  return flavourOf(platform).join(place.root, ...place.segments);
}
