import { basename, dirname } from 'node:path';
import { isInside } from '../../plugins/discover/isInside.ts';
import type { DextoModule } from './loadTypes.ts';

/** The files of a plugin. */
export interface DextoPlace {
  /** The folder that holds everything it may load. */
  readonly rootDir: string;
  /** True for a file that stands alone: what lies beside it is not its own. */
  readonly isLooseFile: boolean;
}

/**
 * What belongs to a plugin: of an npm package its folder, else the folder of its module. A folder that also holds the workspace, the
 * agent file or other plugins is not the plugin's own; there it is the file alone. `shared` are such folders. Pure.
 */
export function planPlace({ source, packageDir }: DextoModule, shared: readonly string[]): DextoPlace {
  if (packageDir !== undefined) return { rootDir: packageDir, isLooseFile: false };
  const rootDir = dirname(source);
  return { rootDir, isLooseFile: shared.some((folder) => isInside(rootDir, folder)) };
}

/** Base names of the files that `readPluginFiles` reads of a plugin that stands alone. Pure. */
export function looseFilesOf(
  { isLooseFile }: DextoPlace,
  source: string,
): { readonly looseFiles?: readonly string[] } {
  return isLooseFile ? { looseFiles: [basename(source)] } : {};
}
