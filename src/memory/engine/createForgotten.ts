// Threat: what the user took out comes back by a rebuild or with another window, and a model reads it. So it is kept beside the
// index, not in it, and a list that can't be read is told.
import { z } from 'zod';
import { errorMessage } from '../../base/errors.ts';
import type { FileSystem } from '../../host/ports.ts';
import type { Problems } from './createProblems.ts';

const listSchema = z.object({
  version: z.literal(1),
  files: z.array(
    z.object({ path: z.string(), label: z.string(), source: z.enum(['memory', 'sessions']) }),
  ),
});

export type ForgottenFile = z.infer<typeof listSchema>['files'][number];

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
      else use(listSchema.parse(JSON.parse(await fs.readText(file, maxBytes))).files);
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
