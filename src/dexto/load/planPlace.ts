import { dirname } from 'node:path';
import { isInside } from '../../plugins/discover/isInside.ts';
import type { DextoModule } from './loadTypes.ts';

/** The files of a plugin. */
export interface DextoPlace {
  /** The folder that holds everything it may load. */
  readonly rootDir: string;
  /** True for a file that shares its folder: of what lies beside it only what it imports is its own. */
  readonly isLooseFile: boolean;
}

/** Folders around plugins; absolute, links resolved. */
interface PlaceFacts {
  /** The folder of the agent file and those of the workspace: a folder in one of them may be a plugin's own. */
  readonly homes: readonly string[];
  /** Folders that hold more than one plugin's files. */
  readonly shared: readonly string[];
}

/**
 * What belongs to a plugin: of an npm package its folder, else the folder of its module. A folder that also holds the workspace, the
 * agent file or other plugins is not the plugin's own, nor is one elsewhere on the machine; there it is the file and what it imports.
 * Pure.
 */
export function planPlace(
  { source, packageDir }: Pick<DextoModule, 'source' | 'packageDir'>,
  { homes, shared }: PlaceFacts,
): DextoPlace {
  if (packageDir !== undefined) return { rootDir: packageDir, isLooseFile: false };
  const rootDir = dirname(source);
  const isAtHome = homes.some((folder) => isInside(folder, rootDir));
  return { rootDir, isLooseFile: !isAtHome || shared.some((folder) => isInside(rootDir, folder)) };
}
