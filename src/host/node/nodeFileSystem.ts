import { randomUUID } from 'node:crypto';
import * as byCallback from 'node:fs';
import { constants, type Stats } from 'node:fs';
import {
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rm,
  stat,
  unlink,
  type FileHandle,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { ExactPath, FileAccess, FileStat, FileSystem, StagedFile } from '../ports.ts';
import { codeOf, renameWithRetry } from './systemErrors.ts';
import { readExact, removeEmptyExact, removeExact, stageExact } from './exactFiles.ts';

/** The real file system. */
export function createNodeFileSystem(): FileSystem {
  return {
    readFile,
    readText,
    writeFile,
    createFile,
    append: (path, text, access) => appendTo(path, text, access, false),
    appendDurably: (path, text, access) => appendTo(path, text, access, true),
    readRange,
    stat: statOf(stat),
    lstat: statOf(lstat),
    stamp,
    stamps,
    realpath: real,
    readDirectory,
    makeDirectory,
    remove,
    readExact: (path, maxBytes = Number.POSITIVE_INFINITY) =>
      guarded('read', path.path, () => readExact(path, maxBytes)),
    stageExact: (path, content, mode) => guarded('write', path.path, () => stage(path, content, mode)),
    removeExact: (path) => guarded('remove', path.path, () => removeExact(path)),
    removeEmptyExact: (path) => guarded('remove', path.path, () => removeEmptyExact(path)),
  };
}

async function stage(path: ExactPath, content: string | Uint8Array, mode?: number): Promise<StagedFile> {
  const staged = await stageExact(path, content, mode);
  return {
    commit: () => guarded('write', path.path, () => staged.commit()),
    discard: () => guarded('remove', path.path, () => staged.discard()),
  };
}

const textDecoder = new TextDecoder();

// Plugins have thousands of files, and the callbacks cost half of what the promises do.
const openFile = promisify(byCallback.open);
const statFile = promisify(byCallback.fstat);
const readPart = promisify(byCallback.read);
/** Files of the system may say that they are empty and are not. */
const readToEnd = promisify<number, Buffer>(byCallback.readFile);
const closeFile = promisify(byCallback.close);

/** As many bytes as the file had when it was opened, or fewer where it has been cut since. */
async function readSized(handle: number, size: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let at = 0;
  while (at < size) {
    const { bytesRead } = await readPart(handle, bytes, at, size - at, null);
    if (bytesRead === 0) return bytes.subarray(0, at);
    at += bytesRead;
  }
  return bytes;
}

async function readFile(path: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  return await guarded('read', path, async () => {
    // O_NONBLOCK: opening a FIFO must not hang the extension host. (Windows has neither; undefined counts as 0 there.)
    const handle = await openFile(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await statFile(handle);
      if (!stats.isFile()) throw new PincerError('io_not_a_file', `${path} is not a regular file.`);
      if (stats.size > maxBytes) {
        throw new PincerError(
          'io_too_large',
          `${path} has ${stats.size} bytes; the limit here is ${maxBytes}.`,
        );
      }
      return stats.size === 0 ? await readToEnd(handle) : await readSized(handle, stats.size);
    } finally {
      await closeFile(handle);
    }
  });
}

async function readText(path: string, maxBytes?: number): Promise<string> {
  return textDecoder.decode(await readFile(path, maxBytes));
}

/** What the user may do with it; nobody else may do anything. */
const ownerBits = 0o700;

async function writeFile(path: string, content: string | Uint8Array, access?: FileAccess): Promise<void> {
  await guarded('write', path, async () => {
    const mode = modeFor(access, (await statOf(stat)(path))?.mode);
    const temporary = join(dirname(path), `.pincer-${randomUUID()}.tmp`);
    try {
      const handle = await openNew(temporary, 'wx', mode ?? 0o666, access);
      try {
        await handle.writeFile(content);
        if (mode !== undefined) await handle.chmod(mode);
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

async function createFile(path: string, content: string, access?: FileAccess): Promise<boolean> {
  return await guarded('write', path, async () => {
    // A name that appears with its content: whoever finds the file can read who made it.
    const temporary = join(dirname(path), `.pincer-${randomUUID()}.tmp`);
    try {
      const handle = await openNew(temporary, 'wx', modeFor(access, undefined) ?? 0o666, access);
      try {
        await handle.writeFile(content);
      } finally {
        await handle.close();
      }
      await link(temporary, path);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      await unlinkIfThere(temporary);
    }
  });
}

/** As `rm` does with `force`, without the look at what it is: each turn waits for it. */
async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** The bits of a file that is written; undefined where it is new and gets what new files usually have. */
function modeFor(access: FileAccess | undefined, replaced: number | undefined): number | undefined {
  return access === 'private' ? (replaced ?? 0o600) & ownerBits : replaced;
}

/** The folder is there nearly always: it is made only where the file can't be opened without. */
async function openNew(
  path: string,
  flags: 'wx' | 'a',
  mode: number,
  access: FileAccess | undefined,
): Promise<FileHandle> {
  try {
    return await open(path, flags, mode);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    await makeFolder(dirname(path), access);
    return await open(path, flags, mode);
  }
}

async function makeFolder(path: string, access: FileAccess | undefined): Promise<void> {
  await mkdir(path, { recursive: true, mode: access === 'private' ? ownerBits : 0o777 });
}

async function appendTo(
  path: string,
  text: string,
  access: FileAccess | undefined,
  isDurable: boolean,
): Promise<void> {
  await guarded('append to', path, async () => {
    const handle = await openNew(path, 'a', modeFor(access, undefined) ?? 0o666, access);
    try {
      // Of an open file the system knows it by heart, and a turn waits for every trip to the thread that asks.
      const { mode, size } = byCallback.fstatSync(handle.fd);
      // What an earlier version has left readable for others is not any more.
      if (access === 'private' && (mode & 0o077) !== 0) await handle.chmod(mode & ownerBits);
      await handle.writeFile(text);
      if (!isDurable) return;
      await handle.datasync();
      if (size === 0) await syncFolder(dirname(path));
    } finally {
      await handle.close();
    }
  });
}

/** The name of a new file is on disk only when its folder is. Windows can't open folders, and needs no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readRange(path: string, start: number, length: number): Promise<Uint8Array> {
  return await guarded('read', path, async () => {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await handle.stat()).isFile())
        throw new PincerError('io_not_a_file', `${path} is not a regular file.`);
      const bytes = new Uint8Array(length);
      let read = 0;
      while (read < length) {
        const { bytesRead } = await handle.read(bytes, read, length - read, start + read);
        if (bytesRead === 0) break;
        read += bytesRead;
      }
      return bytes.subarray(0, read);
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

async function makeDirectory(path: string, access?: FileAccess): Promise<void> {
  await guarded('make', path, () => makeFolder(path, access));
}

/** Linux takes the times of files from a clock that ticks every 4 to 10 ms: within a tick a second change leaves no trace. */
const tickMs = 20;
const maxWaits = 3;
/** More at once are no faster, and other reads of the process wait behind them. */
const atOnce = 64;

async function stamp(path: string): Promise<string> {
  for (let waits = 0; ; waits += 1) {
    const found = await look(path);
    if (waits === maxWaits || typeof found === 'string' || !isYoung(found)) return textOf(found);
    await delay(tickMs);
  }
}

async function stamps(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let path = paths[next]; path !== undefined; path = paths[next]) {
      const at = next;
      next += 1;
      found[at] = textOf(await look(path));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, paths.length) }, work));
  return found;
}

/** Why it can't be looked at where that is so, empty where nothing is there. The callback costs half of what the promise does. */
function look(path: string): Promise<Stats | string> {
  return new Promise((resolve) => {
    byCallback.stat(path, (error, stats) => {
      const code = error === null ? '' : (codeOf(error) ?? 'failed');
      resolve(error === null ? stats : ['ENOENT', 'ENOTDIR'].includes(code) ? '' : code);
    });
  });
}

/** The times alone would miss a file that another has taken the place of, such as one that a package manager links. */
function textOf(found: Stats | string): string {
  if (typeof found === 'string') return found;
  return [found.ino, found.size, found.mtimeMs, found.ctimeMs].join(' ');
}

function isYoung({ ctimeMs }: Stats): boolean {
  const age = Date.now() - ctimeMs;
  return age >= 0 && age < tickMs;
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
