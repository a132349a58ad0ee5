import { basename, dirname, join } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { DirectoryEntry, FileSystem } from '../../host/ports.ts';
import { childFolder, decideEntry, topFolder, type Folder, type Top } from './find/fileTree.ts';
import type { FindContext } from './find/findContext.ts';
import { measureFile } from './find/measureFile.ts';
import { openTops, type Tops } from './find/openTops.ts';
import { namesBelow, pathKey } from './find/pathKeys.ts';
import { readIgnoreLevels } from './find/readIgnoreLevels.ts';
import type { FoundFile } from './memoryFiles.ts';
import { transcriptAt } from './sessions/findTranscripts.ts';

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

/** The tops that the path lies in, those of the workspace first, else the innermost, as a full look comes upon them. */
function topsAbove(
  tops: Tops,
  path: string,
  platform: NodeJS.Platform,
): readonly { readonly top: Top; readonly names: readonly string[] }[] {
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
  tops: Tops,
  top: Top,
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
  top: Top,
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

/** A full look tells of it. */
function leaveUnsaid(_problem: Diagnostic): void {
  return;
}
