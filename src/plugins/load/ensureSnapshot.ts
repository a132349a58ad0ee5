// Threat: between the user's consent and the load, or while the plugin runs and loads more, somebody edits its files. So
// code is loaded from a copy outside the workspace, written from the very bytes that were hashed. That a copy is still as it was written is
// told by the stamps of its files and folders (times, sizes, places on the disk), which nobody sets at will; where they differ, by its hash.
import { createHash, randomUUID } from 'node:crypto';
import * as byCallback from 'node:fs';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, symlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { FileSystem } from '../../host/ports.ts';
import { readPluginFiles, type PluginFile, type PluginFiles } from '../consent/readPluginFiles.ts';
import { settleAll } from '../../tools/settleAll.ts';
import { pluginFolderName } from '../pluginFolderName.ts';

// Plugins have thousands of files, and the callback takes half the time that the promise does.
const writeFile = promisify(byCallback.writeFile);

const keptPerPlugin = 4;
const dayMs = 24 * 60 * 60 * 1000;

/** A copy of a plugin. */
interface Snapshot {
  /** Holds exactly the files that were hashed. */
  readonly rootDir: string;
  /** For what is made from the files of all versions of this plugin; what is oldest in it is removed. */
  readonly cacheDir: string;
}

/**
 * The copy of exactly these files, in a folder named by their hash; made where it is missing or has been changed.
 * @throws PincerError `plugin_snapshot_failed`
 */
export async function ensureSnapshot(
  fs: FileSystem,
  snapshotsDir: string,
  { id, rootDir: original }: { readonly id: string; readonly rootDir: string },
  plugin: PluginFiles,
): Promise<Snapshot> {
  const home = join(snapshotsDir, pluginFolderName(id));
  const folder = join(home, plugin.hash.slice(0, 32));
  const snapshot = { rootDir: join(folder, 'plugin'), cacheDir: join(home, 'transpiled') };
  try {
    if (await isIntact(fs, snapshot.rootDir, plugin)) {
      await keepOriginal(fs, folder, original);
      await markUsed(folder);
      return snapshot;
    }
    await fs.remove(snapshot.rootDir);
    await write(folder, snapshot.rootDir, plugin.files);
    await keepStamps(fs, snapshot.rootDir, plugin.files);
    await keepOriginal(fs, folder, original);
    // Another window may still run from a copy and load more of it later: what was used within a day stays.
    const unused = { spared: [folder, snapshot.cacheDir], before: Date.now() - dayMs };
    await removeOldest(fs, home, keptPerPlugin - 1, unused);
    await removeOldest(fs, snapshot.cacheDir, maxCached(plugin.files.length));
    return snapshot;
  } catch (error) {
    throw new PincerError(
      'plugin_snapshot_failed',
      `could not copy the plugin to ${folder}: ${errorMessage(error)}`,
      { cause: error },
    );
  }
}

async function isIntact(fs: FileSystem, folder: string, { hash, files }: PluginFiles): Promise<boolean> {
  if ((await fs.stat(folder)) === undefined) return false;
  const kept = await fs.readText(stampsFile(folder)).catch(() => '');
  if (kept !== '' && kept === (await stampsOf(fs, folder, files))) return true;
  if ((await readPluginFiles(fs, { rootDir: folder })).hash !== hash) return false;
  await keepStamps(fs, folder, files);
  return true;
}

function stampsFile(folder: string): string {
  return join(dirname(folder), 'stamps');
}

/** To be called when the copy is known to be what it should. */
async function keepStamps(fs: FileSystem, folder: string, files: readonly PluginFile[]): Promise<void> {
  // The youngest of all: what changes later than this has another stamp.
  await fs.stamp(folder);
  await fs.writeFile(stampsFile(folder), await stampsOf(fs, folder, files));
}

/** Of all files and folders: a folder's tells which names it has. */
async function stampsOf(fs: FileSystem, folder: string, files: readonly PluginFile[]): Promise<string> {
  const paths = new Set(['.']);
  for (const { path } of files) for (let each = path; !paths.has(each); each = dirname(each)) paths.add(each);
  const stamps = await fs.stamps([...paths].map((path) => join(folder, path)));
  return createHash('sha256').update(JSON.stringify(stamps)).digest('hex');
}

/** Written aside and renamed, so that the folder is there as a whole or not at all. */
async function write(parent: string, folder: string, files: readonly PluginFile[]): Promise<void> {
  const temporary = join(parent, `.${randomUUID()}`);
  await mkdir(temporary, { recursive: true });
  try {
    const folders = new Set(files.map(({ path }) => dirname(join(temporary, path))));
    await settleAll([...folders], (path) => mkdir(path, { recursive: true }));
    await settleAll(files, async (file) => {
      if (file.kind === 'file') await writeFile(join(temporary, file.path), file.content);
    });
    for (const link of files.filter((each) => each.kind === 'link')) {
      await symlink(link.target, join(temporary, link.path));
    }
    await rename(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Beside the copy, for whoever knows a path in it alone: of two plugins that are alike the one that was loaded last. */
async function keepOriginal(fs: FileSystem, folder: string, original: string): Promise<void> {
  const file = join(folder, originalName);
  const kept = await fs.readText(file).catch(() => '');
  // Never synced: what a crash spoils is written again.
  if (kept !== original) await writeFile(file, original);
}

/**
 * The plugin's own file for one of a copy of it; undefined for every other path. Reads synchronously, for one who has no turn of the
 * event loop left.
 */
export function originalOf(path: string): string | undefined {
  const { folder, rest } =
    /^(?<folder>.*[\\/](?:plugin|hook)-snapshots[\\/]p-[^\\/]+[\\/][^\\/]+)[\\/]plugin(?<rest>[\\/].+)$/u.exec(
      path,
    )?.groups ?? {};
  if (folder === undefined || rest === undefined) return undefined;
  const file = join(folder, originalName);
  return existsSync(file) ? `${readFileSync(file, 'utf8')}${rest}` : undefined;
}

const originalName = 'original';

async function markUsed(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now);
}

/** Room for each file of the versions that are kept, in both forms that it may be transpiled to. */
function maxCached(files: number): number {
  return files * keptPerPlugin * 2;
}

/** However new they are: somebody who saves all day must not fill the disk. */
const maxKept = 50;

interface RemoveOptions {
  readonly spared?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly before?: number;
}

/** Leaves the newest `kept` entries of a folder, those that are spared, and what has changed since `before`. */
async function removeOldest(
  fs: FileSystem,
  folder: string,
  kept: number,
  { spared = [], before = Number.POSITIVE_INFINITY }: RemoveOptions = {},
): Promise<void> {
  if ((await fs.stat(folder)) === undefined) return;
  const paths = (await fs.readDirectory(folder)).map(({ name }) => join(folder, name));
  const others = paths.filter((path) => !spared.includes(path));
  if (others.length <= kept) return;
  const aged = await Promise.all(
    others.map(async (path) => ({ path, at: (await fs.stat(path))?.mtimeMs ?? 0 })),
  );
  aged.sort((a, b) => b.at - a.at);
  const old = aged.filter(({ at }, index) => index >= kept && (at < before || index >= maxKept));
  for (const { path } of old) await fs.remove(path);
}
