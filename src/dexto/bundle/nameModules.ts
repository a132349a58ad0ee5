import { basename, extname, isAbsolute, relative, sep } from 'node:path';

/**
 * The key of each file in a bundle: its path below the agent's folder, of packages elsewhere from `node_modules` on, of other files their
 * name; so that nothing tells of the folders of this machine. Pure.
 */
export function nameModules(paths: readonly string[], agentDir: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const path of paths) {
    const wanted = nameOf(path, agentDir);
    const ending = extname(wanted);
    let name = wanted;
    for (let count = 2; taken.has(name); count += 1)
      name = `${wanted.slice(0, wanted.length - ending.length)}~${count}${ending}`;
    taken.add(name);
    names.set(path, name);
  }
  return names;
}

function nameOf(path: string, agentDir: string): string {
  const below = relative(agentDir, path);
  const parts = (below.startsWith('..') || isAbsolute(below) ? path : below).split(sep);
  const isBelow = parts.join(sep) === below;
  if (isBelow) return parts.join('/');
  const packages = parts.indexOf('node_modules');
  return packages === -1 ? `modules/${basename(path)}` : parts.slice(packages).join('/');
}
