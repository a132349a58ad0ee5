// Threat: between the check of a path and its use somebody puts a link in the place of one of its names, and what was meant
// for a file of the workspace reaches another. So every name below the root is opened from the folder before it, and none
// may be a link. Where the system has no way to name an open folder (all but Linux) the folder is looked at again after the
// file was opened, which narrows the gap and does not close it.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, realpath, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import type { ExactPath, StagedFile } from '../ports.ts';
import { codeOf, renameWithRetry } from './systemErrors.ts';

// Windows has neither; undefined counts as 0 there.
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_DIRECTORY } = constants;

/** A folder that was reached from its root without a link. */
interface ExactFolder {
  /** The path of something in it, through the open folder where the system can. */
  at(name: string): string;
  /** @throws PincerError `io_moved` where another folder has taken its place */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** The bytes of a file that really lies at `path`. */
export async function readExact(path: ExactPath, maxBytes: number): Promise<Uint8Array> {
  return await inFolder(path, false, async (folder, name) => {
    const handle = await openChild(folder, name, path, O_RDONLY | O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw new PincerError('io_not_a_file', `${path.path} is not a regular file.`);
      if (stats.nlink > 1) {
        throw new PincerError('io_hard_link', `${path.path} is stored under a second name too.`);
      }
      if (stats.size > maxBytes) {
        throw new PincerError(
          'io_too_large',
          `${path.path} has ${stats.size} bytes; the limit here is ${maxBytes}.`,
        );
      }
      await folder.verify();
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  });
}

/** Writes beside `path`; `commit` renames into place. Permission bits of a file that is replaced are kept; a new one gets `newMode`. */
export async function stageExact(
  path: ExactPath,
  content: string | Uint8Array,
  newMode?: number,
): Promise<StagedFile> {
  const { folder, name } = await openParent(path, true);
  const temporary = `.pincer-${randomUUID()}.tmp`;
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await folder.close();
    isOpen = false;
  };
  const discard = async (): Promise<void> => {
    if (!isOpen) return;
    try {
      await rm(folder.at(temporary), { force: true });
    } finally {
      await close();
    }
  };
  try {
    const mode = (await modeOf(folder, name, path)) ?? newMode;
    await folder.verify();
    const handle = await open(folder.at(temporary), 'wx', mode ?? 0o666);
    try {
      await handle.writeFile(content);
      if (mode !== undefined) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    async commit() {
      try {
        await folder.verify();
        await renameWithRetry(folder.at(temporary), folder.at(name));
      } catch (error) {
        await discard();
        throw error;
      }
      await close();
    },
    discard,
  };
}

/** Removes the file that really lies at `path`; nothing there is no error. */
export async function removeExact(path: ExactPath): Promise<void> {
  await inFolder(path, false, async (folder, name) => {
    await folder.verify();
    await rm(folder.at(name), { force: true });
  });
}

/** Removes the empty folder that really lies at `path`. */
export async function removeEmptyExact(path: ExactPath): Promise<void> {
  try {
    await inFolder(path, false, async (folder, name) => {
      await folder.verify();
      await rmdir(folder.at(name));
    });
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  }
}

async function inFolder<T>(
  path: ExactPath,
  makes: boolean,
  work: (folder: ExactFolder, name: string) => Promise<T>,
): Promise<T> {
  const { folder, name } = await openParent(path, makes);
  try {
    return await work(folder, name);
  } finally {
    await folder.close();
  }
}

async function openParent(
  path: ExactPath,
  makes: boolean,
): Promise<{ readonly folder: ExactFolder; readonly name: string }> {
  const names = relative(path.root, path.path).split(sep);
  const name = names.pop() ?? '';
  if (name === '' || name === '..' || names.includes('..')) throw moved(path);
  let folder = await openRoot(path);
  for (const each of names) {
    const parent = folder;
    try {
      folder = await openFolder(parent, each, path, makes);
    } finally {
      await parent.close();
    }
  }
  return { folder, name };
}

/** The root is the user's own choice and may itself be reached through a link. */
async function openRoot(path: ExactPath): Promise<ExactFolder> {
  const root = await realpath(path.root);
  return process.platform === 'linux'
    ? throughHandle(await open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
    : throughPath(root, path);
}

async function openFolder(
  parent: ExactFolder,
  name: string,
  path: ExactPath,
  makes: boolean,
): Promise<ExactFolder> {
  const openIt = async (): Promise<ExactFolder> =>
    process.platform === 'linux'
      ? throughHandle(await openChild(parent, name, path, O_RDONLY | O_DIRECTORY))
      : await throughPath(parent.at(name), path);
  try {
    return await openIt();
  } catch (error) {
    if (!makes || codeOf(error) !== 'ENOENT') throw error;
    await makeChild(parent.at(name));
    return await openIt();
  }
}

async function makeChild(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

async function openChild(
  folder: ExactFolder,
  name: string,
  path: ExactPath,
  flags: number,
): Promise<FileHandle> {
  try {
    return await open(folder.at(name), flags | O_NOFOLLOW);
  } catch (error) {
    // A link is ELOOP, and where a folder was wanted ENOTDIR.
    const isLink =
      codeOf(error) === 'ELOOP' || (codeOf(error) === 'ENOTDIR' && (await isSymlink(folder.at(name))));
    throw isLink ? moved(path) : error;
  }
}

async function isSymlink(path: string): Promise<boolean> {
  return (await lstat(path)).isSymbolicLink();
}

async function modeOf(folder: ExactFolder, name: string, path: ExactPath): Promise<number | undefined> {
  try {
    const stats = await lstat(folder.at(name));
    if (stats.isSymbolicLink()) throw moved(path);
    if (!stats.isFile()) throw new PincerError('io_not_a_file', `${path.path} is not a regular file.`);
    return process.platform === 'win32' ? undefined : stats.mode & 0o7777;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function throughHandle(handle: FileHandle): ExactFolder {
  return {
    at: (name) => `/proc/self/fd/${handle.fd}/${name}`,
    verify: () => Promise.resolve(),
    close: () => handle.close(),
  };
}

async function throughPath(folder: string, path: ExactPath): Promise<ExactFolder> {
  const verify = async (): Promise<void> => {
    if ((await realpath(folder)) !== folder) throw moved(path);
  };
  await verify();
  return { at: (name) => join(folder, name), verify, close: () => Promise.resolve() };
}

function moved({ path }: ExactPath): PincerError {
  return new PincerError('io_moved', `${path} is not where it was: one of its names is a link now.`, {
    hint: 'Look at the folder before you try again.',
  });
}
