import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { compileGlob, type GlobMatcher } from '../../base/compileGlob.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { defaultNoteGlobs, isMarkdownName } from '../../base/markdownNames.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { DirectoryEntry, FileStat, FileSystem } from '../../host/ports.ts';
import type { MemorySettings } from '../memorySettings.ts';
import type { IgnoreRules } from './parseIgnoreFile.ts';

/** What finding files depends on. */
export interface FindContext {
  readonly fs: FileSystem;
  readonly platform: NodeJS.Platform;
  readonly settings: FileSettings;
  /** Absolute paths of folders that are never entered, such as those that hold Pincer's own state. */
  readonly stateFolders: readonly string[];
}

/** What decides which files belong to the memory. */
export type FileSettings = Pick<
  MemorySettings,
  'roots' | 'include' | 'exclude' | 'extraPaths' | 'sources' | 'sessionsFolder'
>;

/** A file before its size and time are known. */
export interface TakenFile {
  readonly path: string;
  readonly realPath: string;
  readonly label: string;
}

export interface RootFolders {
  /** Those of the workspace first. */
  readonly folders: readonly RootFolder[];
  /** Those that the user's config names itself. */
  readonly files: readonly TakenFile[];
  /** Keys of real paths that no walk enters from above: other roots, which are walked by themselves, and Pincer's own folders. */
  readonly closed: ReadonlySet<string>;
}

interface FileEntry {
  readonly path: string;
  readonly realPath: string;
  readonly kind: FileStat['kind'];
}

/**
 * Finds out what the roots and extra paths of the settings are. The only links that are followed are those in these paths, since
 * the user has named them. A file or folder that is named twice counts once.
 */
export async function openTops(
  { fs, platform, settings, stateFolders }: FindContext,
  report: (diagnostic: Diagnostic) => void,
): Promise<RootFolders> {
  const isCaseSensitive = !foldsCase(platform);
  const seen = new Set<string>();
  const isNew = ({ realPath }: FileEntry): boolean => {
    const key = pathKey(realPath, platform);
    return !seen.has(key) && seen.add(key).size > 0;
  };
  const named = new Set<string>();
  const several = settings.roots.length > 1;

  const roots: RootFolder[] = [];
  for (const { path, name, include, exclude } of settings.roots) {
    const place = await lookAt(fs, path, rootMissing, report);
    if (place === undefined || !isNew(place)) continue;
    if (place.kind !== 'directory') {
      report(rootMissing(path));
      continue;
    }
    const globs = {
      include: include ?? settings.include,
      isOnlyMarkdown: include !== undefined,
      exclude: settings.exclude,
      topExclude: exclude,
    };
    const rules = compileFileRules({ ...globs, isCaseSensitive, report });
    const label = several ? `${await labelOf(fs, { name, path }, named, undefined)}/` : '';
    roots.push({ ...place, label, isRoot: true, isCaseSensitive, rules });
  }

  const extras: RootFolder[] = [];
  const files: TakenFile[] = [];
  for (const path of settings.extraPaths) {
    const place = await lookAt(fs, path, extraPathMissing, report);
    if (place === undefined || !isNew(place)) continue;
    const bare = several ? undefined : roots[0];
    const called = calledWithin(roots, place.realPath, platform) ?? {
      path,
      label: await labelOf(fs, { name: basename(path), path }, named, bare),
    };
    if (place.kind === 'directory') {
      const globs = {
        include: defaultNoteGlobs,
        isOnlyMarkdown: true,
        exclude: settings.exclude,
        topExclude: [],
      };
      const rules = compileFileRules({ ...globs, isCaseSensitive, report: () => undefined });
      extras.push({ ...place, ...called, label: `${called.label}/`, isRoot: false, isCaseSensitive, rules });
    } else if (place.kind === 'file') files.push({ ...place, ...called });
    else report(extraPathMissing(path));
  }

  const closed = new Set(roots.map((root) => pathKey(root.realPath, platform)));
  for (const path of stateFolders) {
    const place = await lookAt(fs, path, undefined, report);
    closed.add(pathKey(place?.realPath ?? path, platform));
  }
  return { folders: [...roots, ...extras], files, closed };
}

async function lookAt(
  fs: FileSystem,
  path: string,
  missing: ((path: string) => Diagnostic) | undefined,
  report: (diagnostic: Diagnostic) => void,
): Promise<FileEntry | undefined> {
  try {
    const realPath = await fs.realpath(path);
    const stat = await fs.lstat(realPath);
    if (stat !== undefined) return { path, realPath, kind: stat.kind };
    if (missing !== undefined) report(missing(path));
  } catch (error) {
    if (!(error instanceof PincerError)) throw error;
    if (error.code !== 'io_not_found') report(pathsUnreadable([path], error.message));
    else if (missing !== undefined) report(missing(path));
  }
  return undefined;
}

/** What lies in a root is called as the root calls it; by the innermost, where there are several. */
function calledWithin(
  roots: readonly RootFolder[],
  realPath: string,
  platform: NodeJS.Platform,
): { readonly path: string; readonly label: string } | undefined {
  const inside = roots.flatMap((root) => {
    const names = namesBelow(root.realPath, realPath, platform);
    return names === undefined ? [] : [{ root, names }];
  });
  const [inner] = inside.sort((a, b) => a.names.length - b.names.length);
  if (inner === undefined) return undefined;
  return { path: join(inner.root.path, ...inner.names), label: inner.root.label + inner.names.join('/') };
}

/**
 * A name that no other top has, and nothing in the root whose files stand without one, so that no two files are cited alike; else
 * the path.
 */
async function labelOf(
  fs: FileSystem,
  { name, path }: { readonly name: string; readonly path: string },
  taken: Set<string>,
  bare: RootFolder | undefined,
): Promise<string> {
  const isFree =
    !taken.has(name) && (bare === undefined || (await fs.lstat(join(bare.path, name))) === undefined);
  const label = isFree ? name : path.replaceAll('\\', '/');
  taken.add(label);
  return label;
}

/** A folder that is searched: one of the workspace, or one that the user's config names. */
export interface RootFolder {
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

// Threat: a cloned repository's settings include `**/*`, and the index holds its keys and dumps for everyone who searches. So a
// folder's own settings choose among its markdown; what else is text, the user's own config may name.

/** Globs of one folder, ready to ask. `names` are those below the folder. */
interface FileRules {
  includes(names: readonly string[]): boolean;
  /** Of one file or folder; what lies in an excluded folder is for the caller. */
  excludes(names: readonly string[]): boolean;
}

interface RuleInput {
  readonly include: readonly string[];
  /** True where `include` is what the folder's own settings say. */
  readonly isOnlyMarkdown: boolean;
  /** A pattern without a slash is a name in any folder. */
  readonly exclude: readonly string[];
  /** As in VS Code's `files.exclude`: a pattern without a slash is a name at the top. */
  readonly topExclude: readonly string[];
  readonly isCaseSensitive: boolean;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Globs that can't be compiled are reported and left out. What is looked for may be spelt in any case. */
function compileFileRules(input: RuleInput): FileRules {
  const { isCaseSensitive, isOnlyMarkdown, report } = input;
  const include = compileAll(input.include, false, report);
  const top = input.topExclude.map((glob) => (glob.includes('/') ? glob : `./${glob}`));
  const exclude = compileAll([...input.exclude, ...top], isCaseSensitive, report);
  return {
    includes: (names) =>
      matchesAny(include, names.map(lower)) && (!isOnlyMarkdown || isMarkdownName(names.at(-1) ?? '')),
    excludes: (names) => matchesAny(exclude, isCaseSensitive ? names : names.map(lower)),
  };
}

function compileAll(
  globs: readonly string[],
  isCaseSensitive: boolean,
  report: (diagnostic: Diagnostic) => void,
): GlobMatcher[] {
  return globs.flatMap((glob) => {
    try {
      return [compileGlob(isCaseSensitive ? glob : glob.toLowerCase())];
    } catch (error) {
      report(patternInvalid(errorMessage(error)));
      return [];
    }
  });
}

function matchesAny(matchers: readonly GlobMatcher[], names: readonly string[]): boolean {
  return matchers.some((matches) => matches(names));
}

function lower(name: string): string {
  return name.toLowerCase();
}

/** A folder on the way. */
export interface Folder {
  readonly top: RootFolder;
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

type EntryDecision = 'enter' | 'take' | 'skip';

export function topFolder(top: RootFolder): Folder {
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

/** True where two names that differ in case alone are usually the same file. */
function foldsCase(platform: NodeJS.Platform): boolean {
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

/** One diagnostic for all files and folders that can't be looked at. `paths` is not empty. */
export function pathsUnreadable(paths: readonly string[], cause: string): Diagnostic {
  const [first = '', ...others] = paths;
  const more = others.length === 0 ? '' : ` and ${String(others.length)} more`;
  return {
    level: 'warn',
    code: 'memory_path_unreadable',
    message: `The memory leaves out ${first}${more}: ${cause}`,
    hint: 'Give yourself the right to read it, or exclude it with pincer.memory.exclude.',
    source: first,
  };
}

function rootMissing(path: string): Diagnostic {
  return {
    level: 'warn',
    code: 'memory_root_missing',
    message: `The folder ${path} is not there, so its files are not in the memory.`,
    hint: 'Bring it back, or take it out of the workspace.',
    source: path,
  };
}

function extraPathMissing(path: string): Diagnostic {
  return {
    level: 'warn',
    code: 'memory_extra_path_missing',
    message: `There is no file or folder ${path}, which memory.extraPaths names.`,
    hint: 'Correct memory.extraPaths in your config.',
    source: path,
  };
}

function patternInvalid(message: string): Diagnostic {
  return {
    level: 'warn',
    code: 'memory_pattern_invalid',
    message: `${message} The memory goes on without it.`,
    hint: 'Correct memory.include or memory.exclude.',
  };
}
