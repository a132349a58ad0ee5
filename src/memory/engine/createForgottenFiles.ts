// Threat: what the user took out comes back by a rebuild or with another window, and a model reads it. So it is kept beside the
// index, not in it, and a list that can't be read is told.
import { createSerialQueue } from '../../base/createSerialQueue.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { MemorySource } from '../../config/sections/memorySources.ts';
import type { FileSystem } from '../../host/ports.ts';
import type { Problems } from './engineState.ts';

export interface ForgottenFile {
  /** Absolute. */
  readonly path: string;
  readonly label: string;
  readonly source: MemorySource;
}

/** Files that the user took out. */
export interface ForgottenFiles {
  has(path: string): boolean;
  all(): readonly ForgottenFile[];
  /** @throws PincerError `memory_forgotten_unreadable`, `io_*`: then the list on disk is as it was. `remove` likewise */
  add(file: ForgottenFile): Promise<void>;
  remove(path: string): Promise<void>;
  /** Reads the list anew where another window changed it; true where it did. A list that can't be read is a problem. */
  refresh(): Promise<boolean>;
}

const maxBytes = 10_000_000;
/** What `readStamp` gives where there is no file. */
const none = 'none';

export function createForgottenFiles(
  fs: Pick<FileSystem, 'stat' | 'readText' | 'writeFile'>,
  file: string,
  problems: Problems,
): ForgottenFiles {
  let files: readonly ForgottenFile[] = [];
  let paths: ReadonlySet<string> = new Set();
  let seen: string | undefined;

  const use = (next: readonly ForgottenFile[]): void => {
    files = next;
    paths = new Set(next.map(({ path }) => path));
  };

  /** Each step alone: one that read before another wrote would undo it. */
  const inTurn = createSerialQueue();

  const readStamp = async (): Promise<string> => {
    const stat = await fs.stat(file);
    return stat === undefined ? none : `${String(stat.mtimeMs)} ${String(stat.size)}`;
  };

  const read = async (): Promise<boolean> => {
    const now = await readStamp();
    if (now === seen) return false;
    use(now === none ? [] : parseList(await fs.readText(file, maxBytes)));
    seen = now;
    problems.set('forgotten', undefined);
    return true;
  };

  /** Changes what the file holds now. One that can't be read is not written over: it says what must not come back. */
  const change = async (make: () => readonly ForgottenFile[]): Promise<void> => {
    try {
      await read();
    } catch (error) {
      throw unreadable(file, error);
    }
    const next = make();
    if (next === files) return;
    await fs.writeFile(file, `${JSON.stringify({ version: 1, files: next }, undefined, 2)}\n`, 'private');
    use(next);
    seen = await readStamp();
  };

  return {
    has: (path) => paths.has(path),
    all: () => files,
    add: (added) => inTurn(() => change(() => [...files.filter(({ path }) => path !== added.path), added])),
    remove: (path) =>
      inTurn(() => change(() => (paths.has(path) ? files.filter((each) => each.path !== path) : files))),
    refresh: () =>
      inTurn(async () => {
        try {
          return await read();
        } catch (error) {
          const { code, message, hint } = unreadable(file, error);
          problems.set('forgotten', {
            level: 'error',
            code,
            message: `${message} What it names may be found again.`,
            ...(hint === undefined ? {} : { hint }),
            source: file,
          });
          return false;
        }
      }),
  };
}

function unreadable(file: string, cause: unknown): PincerError {
  return new PincerError(
    'memory_forgotten_unreadable',
    `The list of forgotten files (${file}) can't be read: ${errorMessage(cause)}`,
    { hint: 'Correct or delete it, and forget those files once more.', cause },
  );
}

/** @throws Error where the text is no such list */
function parseList(text: string): readonly ForgottenFile[] {
  const said: unknown = JSON.parse(text);
  if (!isRecord(said) || !Array.isArray(said['files'])) throw new Error('It is not a list of files.');
  return said['files'].map((each: unknown): ForgottenFile => {
    if (!isRecord(each)) throw new Error('It names something that is no file.');
    const { path, label, source } = each;
    if (typeof path !== 'string' || typeof label !== 'string')
      throw new Error('It names a file without a path.');
    return { path, label, source: source === 'sessions' ? 'sessions' : 'memory' };
  });
}
