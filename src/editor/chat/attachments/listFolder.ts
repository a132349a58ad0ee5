import { join } from 'node:path';
import type { FileSystem } from '../../../host/ports.ts';
import { type IgnoreRules, parseIgnoreFile } from '../../../memory/files/parseIgnoreFile.ts';

interface FolderListing {
  /** Below the folder, with forward slashes; folders end with one. */
  readonly names: readonly string[];
  readonly isCut: boolean;
}

const maxNames = 500;
const maxDepth = 4;
const maxIgnoreBytes = 256 * 1024;
const closed = new Set(['.git', '.hg', '.svn', 'node_modules']);

interface Level {
  readonly rules: IgnoreRules;
  readonly depth: number;
}

/**
 * What is in a folder and, a few levels deep, below it: the upper levels first, so that a cut leaves out the deepest. What git
 * ignores is left out, and no link is entered. `isCaseSensitive` is the file system's. @throws PincerError `io_*`
 */
export async function listFolder(
  fs: FileSystem,
  folder: string,
  isCaseSensitive: boolean,
): Promise<FolderListing> {
  const names: string[] = [];
  let isCut = false;
  let level: { readonly path: readonly string[]; readonly ignores: readonly Level[] }[] = [
    { path: [], ignores: [] },
  ];
  for (let depth = 1; depth <= maxDepth && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const { path, ignores } of level) {
      const entries = await fs.readDirectory(join(folder, ...path));
      const hasIgnore = entries.some(({ name, kind }) => name === '.gitignore' && kind === 'file');
      const text = hasIgnore ? await fs.readText(join(folder, ...path, '.gitignore'), maxIgnoreBytes) : '';
      const all = hasIgnore
        ? [...ignores, { rules: parseIgnoreFile(text, isCaseSensitive), depth: path.length }]
        : ignores;
      for (const { name, kind } of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const below = [...path, name];
        const isFolder = kind === 'directory';
        if ((isFolder && closed.has(name)) || isIgnored(all, below, isFolder)) continue;
        if (names.length >= maxNames) return { names: names.sort(), isCut: true };
        names.push(below.join('/') + (isFolder ? '/' : ''));
        if (isFolder) next.push({ path: below, ignores: all });
      }
    }
    level = next;
    isCut = depth === maxDepth && next.length > 0;
  }
  return { names: names.sort(), isCut };
}

function isIgnored(ignores: readonly Level[], names: readonly string[], isFolder: boolean): boolean {
  for (const { rules, depth } of ignores.toReversed()) {
    const said = rules.decide(names.slice(depth), isFolder);
    if (said !== undefined) return said;
  }
  return false;
}
