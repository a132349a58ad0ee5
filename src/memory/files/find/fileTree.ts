import { join } from 'node:path';
import type { DirectoryEntry } from '../../../host/ports.ts';
import type { IgnoreRules } from '../gitignore/parseIgnoreFile.ts';
import type { FileRules } from './compileFileRules.ts';

/** A folder that is searched: one of the workspace, or one that the user's config names. */
export interface Top {
  /** As it is called, absolute. */
  readonly path: string;
  /** Without links. */
  readonly realPath: string;
  /** Stands before the paths of its files: empty or ending with a slash. */
  readonly label: string;
  /** Only a folder of the workspace has `MEMORY.md` and `memory/`. */
  readonly isRoot: boolean;
  readonly isCaseSensitive: boolean;
  readonly rules: FileRules;
}

/** A folder on the way. */
export interface Folder {
  readonly top: Top;
  readonly path: string;
  /** Those below the top. */
  readonly names: readonly string[];
  /** True for `memory` and all below it. */
  readonly isMemory: boolean;
  /** The `.gitignore` files that hold here, outermost first. */
  readonly ignores: readonly IgnoreLevel[];
}

export interface IgnoreLevel {
  readonly rules: IgnoreRules;
  /** Absolute path of the file. */
  readonly file: string;
  /** How many names lie between the top and its folder. */
  readonly depth: number;
}

export type EntryDecision = 'enter' | 'take' | 'skip';

export function topFolder(top: Top): Folder {
  return { top, path: top.path, names: [], isMemory: false, ignores: [] };
}

export function childFolder(folder: Folder, name: string, ignores: readonly IgnoreLevel[]): Folder {
  return {
    top: folder.top,
    path: join(folder.path, name),
    names: [...folder.names, name],
    isMemory: folder.isMemory || isMemoryFolder(folder, name),
    ignores,
  };
}

/**
 * Whether what lies in a folder belongs to the memory. No link is followed: one is neither a file nor a folder here. Hidden and
 * `node_modules` folders are never entered, but for `.pincer`. `MEMORY.md` and the markdown of `memory/` are the user's memory:
 * a `.gitignore` keeps them out of the repository and not out of the index; a pattern of the config or of VS Code does. Pure.
 */
export function decideEntry(
  folder: Folder,
  ignores: readonly IgnoreLevel[],
  entry: DirectoryEntry,
): EntryDecision {
  const { rules } = folder.top;
  if (entry.kind === 'directory') {
    if (isNeverEntered(entry.name)) return 'skip';
    const names = [...folder.names, entry.name];
    if (rules.excludes(names)) return 'skip';
    const isMemory = folder.isMemory || isMemoryFolder(folder, entry.name);
    return isMemory || !isIgnored(ignores, names, true) ? 'enter' : 'skip';
  }
  // What macOS keeps beside files on foreign disks has their names and is no text.
  if (entry.kind !== 'file' || entry.name.startsWith('._')) return 'skip';
  const isMemory = isMemoryFile(folder, entry.name);
  const names = [...folder.names, entry.name];
  if (!isMemory && !rules.includes(names)) return 'skip';
  if (rules.excludes(names)) return 'skip';
  return isMemory || !isIgnored(ignores, names, false) ? 'take' : 'skip';
}

function isNeverEntered(name: string): boolean {
  return name.toLowerCase() === 'node_modules' || (name.startsWith('.') && name !== '.pincer');
}

function isMemoryFolder(folder: Folder, name: string): boolean {
  if (!folder.top.isRoot || folder.names.length > 0) return false;
  return (folder.top.isCaseSensitive ? name : name.toLowerCase()) === 'memory';
}

function isMemoryFile(folder: Folder, name: string): boolean {
  if (folder.isMemory) return /\.md$/iu.test(name);
  return folder.top.isRoot && folder.names.length === 0 && name.toLowerCase() === 'memory.md';
}

/** The innermost file that says something decides. */
function isIgnored(ignores: readonly IgnoreLevel[], names: readonly string[], isFolder: boolean): boolean {
  for (const { rules, depth } of ignores.toReversed()) {
    const said = rules.decide(names.slice(depth), isFolder);
    if (said !== undefined) return said;
  }
  return false;
}
