import type { FileSystem } from './ports.ts';

/**
 * What was looked at on disk while something was loaded: files, folders, and places where nothing was. A later look at their times
 * tells whether loading again might give anything else, so that no promise hangs on a watcher alone.
 */
export interface ReadTracker {
  /** Runs `read` with files that are noted before they are read. What it looked at counts afterwards, in place of what counted before. */
  record<T>(read: (fs: FileSystem) => Promise<T>): Promise<T>;
  /** Whether any of it is no longer as it was; false where nothing counts. Never rejects. */
  isOutdated(): Promise<boolean>;
}

/** `counts` says which places do: what comes with the program changes only with it, and then it starts anew. Default: all. */
export function createReadTracker(
  fs: FileSystem,
  counts: (path: string) => boolean = () => true,
): ReadTracker {
  let known: ReadonlyMap<string, string> = new Map();
  return {
    async record(read) {
      const noted = new Map<string, Promise<string>>();
      try {
        return await read(createNotingFiles(fs, noted, counts));
      } finally {
        const stamps = new Map<string, string>();
        for (const [path, stamp] of noted) stamps.set(path, await stamp);
        known = stamps;
      }
    },
    async isOutdated() {
      const before = known;
      const now = await fs.stamps([...before.keys()]);
      return [...before.values()].some((stamp, at) => stamp !== now[at]);
    },
  };
}

/** A stamp is taken before the reading: what changes in between shows later. */
function createNotingFiles(
  fs: FileSystem,
  noted: Map<string, Promise<string>>,
  counts: (path: string) => boolean,
): FileSystem {
  const note = async (path: string): Promise<void> => {
    if (!counts(path)) return;
    const stamp = noted.get(path) ?? fs.stamp(path);
    noted.set(path, stamp);
    await stamp;
  };
  const noting =
    <Rest extends readonly unknown[], T>(read: (path: string, ...rest: Rest) => Promise<T>) =>
    async (path: string, ...rest: Rest): Promise<T> => {
      await note(path);
      return await read(path, ...rest);
    };
  return {
    ...fs,
    readFile: noting((path, maxBytes) => fs.readFile(path, maxBytes)),
    readText: noting((path, maxBytes) => fs.readText(path, maxBytes)),
    readRange: noting((path, start, length) => fs.readRange(path, start, length)),
    stat: noting((path) => fs.stat(path)),
    lstat: noting((path) => fs.lstat(path)),
    realpath: noting((path) => fs.realpath(path)),
    readDirectory: noting((path) => fs.readDirectory(path)),
    async readExact(path, maxBytes) {
      await note(path.path);
      return await fs.readExact(path, maxBytes);
    },
  };
}
