import { join } from 'node:path';
import { errorMessage, PincerError } from '../../../base/errors.ts';
import type { Diagnostic } from '../../../contracts/diagnostic.ts';
import type { DirectoryEntry, FileSystem } from '../../../host/ports.ts';
import { maxIgnoreBytes, parseIgnoreFile } from '../gitignore/parseIgnoreFile.ts';
import { ignoreFileUnused } from './errors.ts';
import type { Folder, IgnoreLevel } from './fileTree.ts';

/**
 * The `.gitignore` files that hold in a folder: those from above, the one among its entries, and in the folder of a repository what
 * `.git/info/exclude` says, which every `.gitignore` can overrule.
 */
export async function readIgnoreLevels(
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
