import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { FileStat, FileSystem } from '../ports.ts';

/** The real file system. */
export function createNodeFileSystem(): FileSystem {
  return {
    readFile,
    readText,
    writeFile,
    append,
    stat: statOf(stat),
    lstat: statOf(lstat),
    realpath: real,
    readDirectory,
    makeDirectory,
    remove,
  };
}

const textDecoder = new TextDecoder();

async function readFile(path: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  return await guarded('read', path, async () => {
    // O_NONBLOCK: opening a FIFO must not hang the extension host. (Windows has neither; undefined counts as 0 there.)
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw new PincerError('io_not_a_file', `${path} is not a regular file.`);
      if (stats.size > maxBytes) {
        throw new PincerError(
          'io_too_large',
          `${path} has ${stats.size} bytes; the limit here is ${maxBytes}.`,
        );
      }
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  });
}

async function readText(path: string, maxBytes?: number): Promise<string> {
  return textDecoder.decode(await readFile(path, maxBytes));
}

async function writeFile(path: string, content: string | Uint8Array): Promise<void> {
  await guarded('write', path, async () => {
    const folder = dirname(path);
    await mkdir(folder, { recursive: true });
    const replaced = await statOf(stat)(path);
    const temporary = join(folder, `.pincer-${randomUUID()}.tmp`);
    try {
      const handle = await open(temporary, 'wx', replaced?.mode ?? 0o666);
      try {
        await handle.writeFile(content);
        if (replaced?.mode !== undefined) await handle.chmod(replaced.mode);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await renameWithRetry(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  });
}

/** Windows refuses a rename while a virus scanner or an editor holds the target; that passes within a few attempts. */
async function renameWithRetry(from: string, to: string): Promise<void> {
  const attempts = process.platform === 'win32' ? 6 : 1;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const busy = ['EBUSY', 'EPERM', 'EACCES'].includes(codeOf(error) ?? '');
      if (!busy || attempt >= attempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25 * attempt));
    }
  }
}

async function append(path: string, text: string): Promise<void> {
  await guarded('append to', path, async () => {
    await mkdir(dirname(path), { recursive: true });
    const handle = await open(path, 'a');
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
  });
}

function statOf(read: (path: string) => Promise<Stats>): (path: string) => Promise<FileStat | undefined> {
  return async (path) => {
    try {
      return toFileStat(await read(path));
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return undefined;
      throw ioError('look at', path, error);
    }
  };
}

function toFileStat(stats: Stats): FileStat {
  const posix = process.platform !== 'win32';
  return {
    kind: kindOf(stats),
    size: stats.size,
    mtimeMs: stats.mtimeMs,
    links: stats.nlink,
    mode: posix ? stats.mode & 0o7777 : undefined,
    uid: posix ? stats.uid : undefined,
  };
}

function kindOf(entry: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): FileStat['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}

async function real(path: string): Promise<string> {
  return await guarded('resolve', path, () => realpath(path));
}

async function readDirectory(path: string): ReturnType<FileSystem['readDirectory']> {
  return await guarded('list', path, async () => {
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  });
}

async function makeDirectory(path: string): Promise<void> {
  await guarded('make', path, async () => {
    await mkdir(path, { recursive: true });
  });
}

async function remove(path: string): Promise<void> {
  await guarded('remove', path, () => rm(path, { recursive: true, force: true }));
}

async function guarded<T>(verb: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PincerError ? error : ioError(verb, path, error);
  }
}

const codes: Readonly<Record<string, string>> = {
  ENOENT: 'io_not_found',
  ENOTDIR: 'io_not_found',
  EISDIR: 'io_not_a_file',
  EACCES: 'io_forbidden',
  EPERM: 'io_forbidden',
  EROFS: 'io_forbidden',
  ENOSPC: 'io_disk_full',
  ELOOP: 'io_link_loop',
  ENXIO: 'io_not_a_file',
};

function ioError(verb: string, path: string, cause: unknown): PincerError {
  const code = codes[codeOf(cause) ?? ''] ?? 'io_failed';
  return new PincerError(code, `Could not ${verb} ${path}: ${errorMessage(cause)}`, { cause });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
