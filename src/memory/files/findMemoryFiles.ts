// Threat: a repository brings links to files outside of it, folders that lead in circles, patterns that take for ever. No link
// is followed but those in the paths that the user named; patterns are matched in bounded time (parseIgnoreFile.ts).
import { basename, dirname, join } from 'node:path';
import { throwIfAborted } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { MemorySource } from '../../config/sections/memorySources.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { DirectoryEntry, FileSystem } from '../../host/ports.ts';
import {
  childFolder,
  decideEntry,
  type FindContext,
  type TakenFile,
  type Folder,
  type IgnoreLevel,
  namesBelow,
  openTops,
  pathKey,
  pathsUnreadable,
  type RootFolder,
  topFolder,
  type RootFolders,
} from './fileTree.ts';
import { maxIgnoreBytes, parseIgnoreFile } from './parseIgnoreFile.ts';

/** A file that the index should hold. */
export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  readonly label: string;
  readonly source: MemorySource;
  readonly bytes: number;
  /** Whole milliseconds since the epoch. */
  readonly modified: number;
  /** The path without any link, as it was when the file was found: what is read must still lie there. */
  readonly realPath?: string;
}

export interface FindResult {
  readonly files: readonly FoundFile[];
  /** What could not be looked at: unreadable folders, too many files. */
  readonly problems: readonly Diagnostic[];
}

export interface FindOptions extends FindContext {
  /** Those nearest to the top are kept. */
  readonly maxFiles: number;
  readonly signal: AbortSignal;
  /** Called every few milliseconds of work: resolves when it may go on. */
  readonly yieldToEventLoop: () => Promise<void>;
}

interface Listed {
  readonly folder: Folder;
  readonly entries: readonly DirectoryEntry[];
  readonly ignores: readonly IgnoreLevel[];
}

/**
 * All files that belong to the memory, those near the top of their folder first, transcripts last. What can't be looked at is
 * told once and costs nothing else. A file in several roots counts once, with the innermost.
 * @throws PincerError `cancelled`
 */
export async function findMemoryFiles(options: FindOptions): Promise<FindResult> {
  const { fs, settings, signal, yieldToEventLoop } = options;
  const problems: Diagnostic[] = [];
  const unreadable: Unreadable[] = [];
  const transcripts = await orUnreadable(unreadable, settings.sessionsFolder, [], async () =>
    settings.sources.includes('sessions')
      ? await findTranscripts({ fs, folder: settings.sessionsFolder, signal, yieldToEventLoop })
      : [],
  );
  const taken = settings.sources.includes('memory') ? await takeFiles(options, unreadable, problems) : [];
  if (taken.length > options.maxFiles) problems.push(tooManyFiles(options.maxFiles));
  const kept = taken.slice(0, options.maxFiles);
  const measured = await inBatches(kept, { signal, yieldToEventLoop }, (file) =>
    orUnreadable(unreadable, file.path, undefined, () => measureFile(fs, file)),
  );
  const [first] = unreadable;
  if (first !== undefined) {
    problems.push(
      pathsUnreadable(
        unreadable.map((each) => each.path),
        first.cause,
      ),
    );
  }
  return { files: [...measured.filter((file) => file !== undefined), ...transcripts], problems };
}

interface Unreadable {
  readonly path: string;
  readonly cause: string;
}

/** What the file system refuses is noted, and the rest goes on. */
async function orUnreadable<T>(
  unreadable: Unreadable[],
  path: string,
  otherwise: T,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PincerError) || !error.code.startsWith('io_')) throw error;
    // What is gone since its folder was listed is no problem.
    if (error.code !== 'io_not_found') unreadable.push({ path, cause: error.message });
    return otherwise;
  }
}

async function takeFiles(
  options: FindOptions,
  unreadable: Unreadable[],
  problems: Diagnostic[],
): Promise<TakenFile[]> {
  const report = (problem: Diagnostic): void => void problems.push(problem);
  const tops = await openTops(options, report);
  const taken = new Map(tops.files.map((file) => [pathKey(file.realPath, options.platform), file]));
  const ignoreLevels = new Set<IgnoreLevel>();
  const list = (folder: Folder): Promise<Listed | undefined> =>
    orUnreadable(unreadable, folder.path, undefined, async () => {
      const entries = await options.fs.readDirectory(folder.path);
      return { folder, entries, ignores: await readIgnoreLevels(options.fs, folder, entries, report) };
    });

  for (let level = tops.folders.map(topFolder); level.length > 0;) {
    const next: Folder[] = [];
    for (const listed of await inBatches(level, options, list)) {
      if (listed === undefined) continue;
      const { folder, entries, ignores } = listed;
      for (const each of ignores) ignoreLevels.add(each);
      for (const [at, entry] of entries.entries()) {
        if (at % 500 === 499) await options.yieldToEventLoop();
        const decision = decideEntry(folder, ignores, entry);
        if (decision === 'skip') continue;
        const realPath = join(folder.top.realPath, ...folder.names, entry.name);
        const key = pathKey(realPath, options.platform);
        if (decision === 'enter') {
          if (!tops.closed.has(key)) next.push(childFolder(folder, entry.name, ignores));
        } else if (!taken.has(key)) {
          const label = folder.top.label + [...folder.names, entry.name].join('/');
          taken.set(key, { path: join(folder.path, entry.name), realPath, label });
        }
      }
    }
    level = next;
  }

  for (const { rules, file } of ignoreLevels) {
    if (rules.isExhausted) report(ignoreFileUnused(file, 'its patterns take too long to match'));
  }
  return [...taken.values()];
}

/**
 * The file at one absolute path, where the memory is configured to hold it: by the same rules as `findMemoryFiles`,
 * without looking at anything but the folders above it. Undefined for what is not there, lies behind a link, is excluded or ignored.
 */
export async function findFileAt(context: FindContext, path: string): Promise<FoundFile | undefined> {
  try {
    return await lookUp(context, path);
  } catch (error) {
    // Somewhere it can't be looked at: then the memory can't hold it either.
    if (error instanceof PincerError && error.code.startsWith('io_')) return undefined;
    throw error;
  }
}

async function lookUp(context: FindContext, path: string): Promise<FoundFile | undefined> {
  const { fs, platform, settings } = context;
  if (settings.sources.includes('sessions') && dirname(path) === settings.sessionsFolder) {
    return await transcriptAt(fs, settings.sessionsFolder, basename(path));
  }
  if (!settings.sources.includes('memory')) return undefined;
  const tops = await openTops(context, leaveUnsaid);
  const key = pathKey(path, platform);
  const named = tops.files.find((file) =>
    [file.path, file.realPath].some((each) => pathKey(each, platform) === key),
  );
  if (named !== undefined) return await measureFile(fs, named);
  for (const { top, names } of topsAbove(tops, path, platform)) {
    const found = await follow(context, tops, top, names);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The tops that the path lies in, those of the workspace first, else the innermost, as a full scan comes upon them. */
function topsAbove(
  tops: RootFolders,
  path: string,
  platform: NodeJS.Platform,
): readonly { readonly top: RootFolder; readonly names: readonly string[] }[] {
  return tops.folders
    .flatMap((top) => {
      const names = namesBelow(top.path, path, platform) ?? namesBelow(top.realPath, path, platform);
      return names === undefined ? [] : [{ top, names }];
    })
    .sort((a, b) => Number(b.top.isRoot) - Number(a.top.isRoot) || a.names.length - b.names.length);
}

/** Walks down to the file as `findMemoryFiles` would; undefined where that would turn back. */
async function follow(
  context: FindContext,
  tops: RootFolders,
  top: RootFolder,
  names: readonly string[],
): Promise<FoundFile | undefined> {
  const { fs, platform } = context;
  let folder: Folder = topFolder(top);
  for (const [at, name] of names.entries()) {
    const path = join(folder.path, name);
    const stat = await fs.lstat(path);
    if (stat === undefined) return undefined;
    const ignores = await readIgnoreLevels(fs, folder, await ignoreEntries(fs, folder), leaveUnsaid);
    const decision = decideEntry(folder, ignores, { name, kind: stat.kind });
    const realPath = join(top.realPath, ...names.slice(0, at + 1));
    if (decision === 'take' && at === names.length - 1) return await measureWithin(context, top, realPath);
    if (decision !== 'enter' || tops.closed.has(pathKey(realPath, platform))) return undefined;
    folder = childFolder(folder, name, ignores);
  }
  return undefined;
}

/** The name is spelt as it is on disk, whatever the case it was asked for in. */
async function measureWithin(
  { fs, platform }: FindContext,
  top: RootFolder,
  path: string,
): Promise<FoundFile | undefined> {
  const realPath = await fs.realpath(path);
  const names = namesBelow(top.realPath, realPath, platform);
  if (names === undefined) return undefined;
  return await measureFile(fs, {
    path: join(top.path, ...names),
    realPath,
    label: top.label + names.join('/'),
  });
}

/** What `readIgnoreLevels` looks for, without listing the folder. */
async function ignoreEntries(fs: FileSystem, folder: Folder): Promise<readonly DirectoryEntry[]> {
  const names = ['.git', '.gitignore'];
  const stats = await Promise.all(names.map((name) => fs.lstat(join(folder.path, name))));
  return stats.flatMap((stat, at) =>
    stat === undefined ? [] : [{ name: names[at] ?? '', kind: stat.kind }],
  );
}

/** A full scan tells of it. */
function leaveUnsaid(_problem: Diagnostic): void {
  return;
}

/**
 * The `.gitignore` files that hold in a folder: those from above, the one among its entries, and in the folder of a repository what
 * `.git/info/exclude` says, which every `.gitignore` can overrule.
 */
async function readIgnoreLevels(
  fs: FileSystem,
  folder: Folder,
  entries: readonly DirectoryEntry[],
  report: (diagnostic: Diagnostic) => void,
): Promise<readonly IgnoreLevel[]> {
  const has = (name: string, kind: DirectoryEntry['kind']): boolean =>
    entries.some((entry) => entry.name === name && entry.kind === kind);
  const files = [
    ...(has('.git', 'directory') ? [join(folder.path, '.git', 'info', 'exclude')] : []),
    ...(has('.gitignore', 'file') ? [join(folder.path, '.gitignore')] : []),
  ];
  const levels = [...folder.ignores];
  for (const file of files) {
    const text = await readSome(fs, file, report);
    if (text === undefined) continue;
    const rules = parseIgnoreFile(text, folder.top.isCaseSensitive);
    levels.push({ rules, file, depth: folder.names.length });
  }
  return levels;
}

async function readSome(
  fs: FileSystem,
  file: string,
  report: (diagnostic: Diagnostic) => void,
): Promise<string | undefined> {
  try {
    return await fs.readText(file, maxIgnoreBytes);
  } catch (error) {
    if (!(error instanceof PincerError && error.code === 'io_not_found')) {
      report(ignoreFileUnused(file, `it can't be read (${errorMessage(error)})`));
    }
    return undefined;
  }
}

/** Undefined where it is gone meanwhile, or something else took its place. @throws PincerError `io_*` */
async function measureFile(fs: FileSystem, file: TakenFile): Promise<FoundFile | undefined> {
  const stat = await fs.lstat(file.realPath);
  if (stat?.kind !== 'file') return undefined;
  // Whole milliseconds, so that a time is the same after it was stored.
  return { ...file, source: 'memory', bytes: stat.size, modified: Math.floor(stat.mtimeMs) };
}

interface TranscriptOptions extends BatchPace {
  readonly fs: FileSystem;
  /** Absolute; one `.jsonl` for each session lies in it. */
  readonly folder: string;
}

/** Sessions are named by the program: anything else in the folder is none. */
const transcriptName = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/u;

/**
 * The transcripts of earlier sessions, the newest first, labelled `sessions/<id>.jsonl`. None where the folder is not there yet.
 * @throws PincerError `io_*` where it can't be listed, `cancelled`
 */
async function findTranscripts(options: TranscriptOptions): Promise<readonly FoundFile[]> {
  const { fs, folder } = options;
  if ((await fs.stat(folder))?.kind !== 'directory') return [];
  const entries = await fs.readDirectory(folder);
  const files = entries.filter(({ kind }) => kind === 'file');
  const found = await inBatches(files, options, ({ name }) => transcriptAt(fs, folder, name));
  return found.filter((file) => file !== undefined).sort((a, b) => b.modified - a.modified);
}

/** The transcript of this name; undefined where it is none. @throws PincerError `io_*` */
async function transcriptAt(fs: FileSystem, folder: string, name: string): Promise<FoundFile | undefined> {
  if (!transcriptName.test(name)) return undefined;
  const path = join(folder, name);
  const stat = await fs.lstat(path);
  if (stat?.kind !== 'file') return undefined;
  const modified = Math.floor(stat.mtimeMs);
  return { path, label: `sessions/${name}`, source: 'sessions', bytes: stat.size, modified };
}

interface BatchPace {
  readonly signal: AbortSignal;
  /** Resolves when the next batch may start. */
  readonly yieldToEventLoop: () => Promise<void>;
}

/** How many requests the file system gets at once: more than it serves at a time, so that none of its threads waits. */
const batchSize = 64;

/**
 * Maps all items, some at once, in their order.
 * @throws PincerError `cancelled`, and whatever `work` rejects with
 */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  { signal, yieldToEventLoop }: BatchPace,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += batchSize) {
    throwIfAborted(signal);
    results.push(...(await Promise.all(items.slice(at, at + batchSize).map(work))));
    await yieldToEventLoop();
  }
  return results;
}

function tooManyFiles(limit: number): Diagnostic {
  return {
    level: 'warn',
    code: 'memory_too_many_files',
    message: `The memory holds the ${String(limit)} files nearest to the top of the workspace; the others are left out.`,
    hint: 'Exclude folders with pincer.memory.exclude, or name what counts with pincer.memory.include.',
  };
}

function ignoreFileUnused(path: string, why: string): Diagnostic {
  return {
    level: 'warn',
    code: 'memory_ignore_file_unused',
    message: `The memory does not follow ${path}: ${why}.`,
    hint: 'Shorten it, or exclude the files with pincer.memory.exclude.',
    source: path,
  };
}
