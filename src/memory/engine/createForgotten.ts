// Threat: what the user took out comes back by a rebuild or with another window, and a model reads it. So it is kept beside the
// index, not in it, and a list that can't be read is told.
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { MemorySource } from '../../config/sections/memorySources.ts';
import type { FileSystem } from '../../host/ports.ts';
import type { Problems } from './createProblems.ts';

export interface ForgottenFile {
  /** Absolute. */
  readonly path: string;
  readonly label: string;
  readonly source: MemorySource;
}

/** Files that the user took out. */
export interface Forgotten {
  has(path: string): boolean;
  all(): readonly ForgottenFile[];
  add(file: ForgottenFile): Promise<void>;
  remove(path: string): Promise<void>;
  /** Reads the list anew where another window changed it; true where it did. */
  refresh(): Promise<boolean>;
}

const maxBytes = 10_000_000;

export function createForgotten(
  fs: Pick<FileSystem, 'stat' | 'readText' | 'writeFile'>,
  file: string,
  problems: Problems,
): Forgotten {
  let files: readonly ForgottenFile[] = [];
  let paths: ReadonlySet<string> = new Set();
  let seen: string | undefined;

  const use = (next: readonly ForgottenFile[]): void => {
    files = next;
    paths = new Set(next.map(({ path }) => path));
  };

  const refresh = async (): Promise<boolean> => {
    try {
      const stat = await fs.stat(file);
      const now = stat === undefined ? 'none' : `${String(stat.mtimeMs)} ${String(stat.size)}`;
      if (now === seen) return false;
      if (stat === undefined) use([]);
      else use(parseList(await fs.readText(file, maxBytes)));
      seen = now;
      problems.set('forgotten', undefined);
      return true;
    } catch (error) {
      problems.set('forgotten', {
        level: 'error',
        code: 'memory_forgotten_unreadable',
        message: `The list of forgotten files can't be read, so they may be found again: ${errorMessage(error)}`,
        hint: 'Correct or delete it, and forget those files once more.',
        source: file,
      });
      return false;
    }
  };

  const write = async (next: readonly ForgottenFile[]): Promise<void> => {
    await fs.writeFile(file, `${JSON.stringify({ version: 1, files: next }, undefined, 2)}\n`, 'private');
    use(next);
    const stat = await fs.stat(file);
    seen = stat && `${String(stat.mtimeMs)} ${String(stat.size)}`;
  };

  return {
    has: (path) => paths.has(path),
    all: () => files,
    async add(added) {
      await refresh();
      await write([...files.filter(({ path }) => path !== added.path), added]);
    },
    async remove(path) {
      await refresh();
      if (paths.has(path)) await write(files.filter((each) => each.path !== path));
    },
    refresh,
  };
}

/** @throws Error where the text is no such list */
function parseList(text: string): readonly ForgottenFile[] {
  const said: unknown = JSON.parse(text);
  if (!isRecord(said) || !Array.isArray(said['files'])) throw new Error('It is no list of files.');
  return said['files'].map((each: unknown): ForgottenFile => {
    if (!isRecord(each)) throw new Error('It names something that is no file.');
    const { path, label, source } = each;
    if (typeof path !== 'string' || typeof label !== 'string')
      throw new Error('It names a file without a path.');
    return { path, label, source: source === 'sessions' ? 'sessions' : 'memory' };
  });
}
