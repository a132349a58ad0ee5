import { join } from 'node:path';
import { throwIfAborted } from '../../base/abort.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { DirectoryEntry, FileSystem } from '../../host/ports.ts';

export interface SearchRoot {
  /** Absolute path of a folder. */
  readonly path: string;
  /** What people call it; stands before the paths where there are several roots. */
  readonly name: string;
}

export interface MarkdownFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to its root with forward slashes; with the root's name before it where there are several. */
  readonly label: string;
}

export interface FindOptions {
  readonly fs: FileSystem;
  readonly roots: readonly SearchRoot[];
  readonly maxFiles: number;
  readonly signal: AbortSignal;
  readonly report: (diagnostic: Diagnostic) => void;
}

const skippedFolders: ReadonlySet<string> = new Set(['node_modules', 'dist']);

/**
 * The markdown files under the roots, those near the top first. Leaves out hidden folders (but not `.pincer`), installed
 * packages and build output, and follows no links, so that it never leaves a root.
 */
export async function findMarkdownFiles(options: FindOptions): Promise<MarkdownFile[]> {
  const several = options.roots.length > 1;
  const files = new Map<string, MarkdownFile>();
  let level = options.roots.map((root) => ({ path: root.path, label: several ? `${root.name}/` : '' }));
  while (level.length > 0) {
    const next: typeof level = [];
    for (const folder of level) {
      throwIfAborted(options.signal);
      for (const { name, kind } of await entriesOf(folder.path, options)) {
        const path = join(folder.path, name);
        if (kind === 'directory' && !isSkipped(name)) next.push({ path, label: `${folder.label}${name}/` });
        if (kind !== 'file' || !/\.md$/iu.test(name) || files.has(path)) continue;
        if (files.size >= options.maxFiles) {
          options.report(tooManyFiles(options.maxFiles));
          return [...files.values()];
        }
        files.set(path, { path, label: `${folder.label}${name}` });
      }
    }
    level = next;
  }
  return [...files.values()];
}

function isSkipped(name: string): boolean {
  return skippedFolders.has(name) || (name.startsWith('.') && name !== '.pincer');
}

async function entriesOf(path: string, { fs, report }: FindOptions): Promise<readonly DirectoryEntry[]> {
  try {
    return await fs.readDirectory(path);
  } catch (error) {
    const message = `The search leaves out a folder that can not be read: ${errorMessage(error)}`;
    report({ level: 'warn', code: 'search_folder_unreadable', message, source: path });
    return [];
  }
}

function tooManyFiles(limit: number): Diagnostic {
  return {
    level: 'warn',
    code: 'search_too_many_files',
    message: `The search looks at the first ${limit} markdown files only.`,
    hint: 'Open a smaller folder.',
  };
}
