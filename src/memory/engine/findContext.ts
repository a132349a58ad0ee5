import type { FindContext } from '../files/fileTree.ts';
import type { MemorySettings } from '../memorySettings.ts';
import type { EngineDeps } from './engineDeps.ts';

/** What finding files needs; Pincer's own state is never part of the memory. */
export function findContext({ fs, platform, place }: EngineDeps, settings: MemorySettings): FindContext {
  return { fs, platform, settings, stateFolders: [place.folder, settings.sessionsFolder] };
}
