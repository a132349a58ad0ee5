import { isAbsolute, relative, sep } from 'node:path';

/** True where two names that differ in case alone are usually the same file. */
export function foldsCase(platform: NodeJS.Platform): boolean {
  return platform === 'darwin' || platform === 'win32';
}

/** The same for two spellings of a path without links. */
export function pathKey(realPath: string, platform: NodeJS.Platform): string {
  return foldsCase(platform) ? realPath.toLowerCase() : realPath;
}

/** The names that lead from a folder to what is in it; empty for the folder itself, undefined for what lies elsewhere. */
export function namesBelow(
  folder: string,
  path: string,
  platform: NodeJS.Platform,
): readonly string[] | undefined {
  const between = relative(folder, path);
  if (between === '') return [];
  const names = between.split(sep);
  if (names[0] !== '..' && !isAbsolute(between)) return names;
  if (!foldsCase(platform) || !pathKey(path, platform).startsWith(pathKey(folder + sep, platform))) {
    return undefined;
  }
  return path.slice(folder.length + 1).split(sep);
}
