import { isAbsolute, relative, sep } from 'node:path';

/** True where `path` is `folder` or lies in it. Both are absolute; links are not followed here. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
