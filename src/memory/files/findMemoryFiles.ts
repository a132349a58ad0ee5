// Threat: a repository brings links to files outside of it, folders that lead in circles, patterns that take for ever. No link
// is followed but those in the paths that the user named; patterns are matched in bounded time (parseIgnoreFile.ts).
import { join } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { DirectoryEntry } from '../../host/ports.ts';
import { pathsUnreadable, ignoreFileUnused, tooManyFiles } from './find/errors.ts';
import { childFolder, decideEntry, topFolder, type Folder, type IgnoreLevel } from './find/fileTree.ts';
import type { FindContext } from './find/findContext.ts';
import { measureFile, type TakenFile } from './find/measureFile.ts';
import { openTops } from './find/openTops.ts';
import { pathKey } from './find/pathKeys.ts';
import { readIgnoreLevels } from './find/readIgnoreLevels.ts';
import { inBatches } from './inBatches.ts';
import type { FindResult } from './memoryFiles.ts';
import { findTranscripts } from './sessions/findTranscripts.ts';

export interface FindOptions extends FindContext {
  /** Those nearest to the top are kept. */
  readonly maxFiles: number;
  readonly signal: AbortSignal;
  /** Called every few milliseconds of work: resolves when it may go on. */
  readonly breathe: () => Promise<void>;
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
  const { fs, settings, signal, breathe } = options;
  const problems: Diagnostic[] = [];
  const unreadable: Unreadable[] = [];
  const transcripts = await orUnreadable(unreadable, settings.sessionsFolder, [], async () =>
    settings.sources.includes('sessions')
      ? await findTranscripts({ fs, folder: settings.sessionsFolder, signal, breathe })
      : [],
  );
  const taken = settings.sources.includes('memory') ? await takeFiles(options, unreadable, problems) : [];
  if (taken.length > options.maxFiles) problems.push(tooManyFiles(options.maxFiles));
  const kept = taken.slice(0, options.maxFiles);
  const measured = await inBatches(kept, { signal, breathe }, (file) =>
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
        if (at % 500 === 499) await options.breathe();
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
