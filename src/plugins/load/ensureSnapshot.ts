// Threat: between the user's consent and the load, or while the plugin runs and loads more, somebody edits its files. So
// code is loaded from a copy outside the workspace, written from the very bytes that were hashed.
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { FileSystem } from '../../host/ports.ts';
import { readPluginFiles, type PluginFile, type PluginFiles } from '../consent/readPluginFiles.ts';
import { pluginFolderName } from '../pluginFolderName.ts';

const keptPerPlugin = 4;

/** A copy of a plugin. */
export interface Snapshot {
  /** Holds exactly the files that were hashed. */
  readonly rootDir: string;
  /** For what is made from them; removed together with them. */
  readonly cacheDir: string;
}

/**
 * The copy of exactly these files, in a folder named by their hash; made where it is missing or has been changed.
 * @throws PincerError `plugin_snapshot_failed`
 */
export async function ensureSnapshot(
  fs: FileSystem,
  snapshotsDir: string,
  pluginId: string,
  plugin: PluginFiles,
): Promise<Snapshot> {
  const home = join(snapshotsDir, pluginFolderName(pluginId));
  const folder = join(home, plugin.hash.slice(0, 32));
  const snapshot = { rootDir: join(folder, 'plugin'), cacheDir: join(folder, 'transpiled') };
  try {
    if (await isIntact(fs, snapshot.rootDir, plugin.hash)) return snapshot;
    await fs.remove(snapshot.rootDir);
    await write(folder, snapshot.rootDir, plugin.files);
    await removeOld(fs, home, folder);
    return snapshot;
  } catch (error) {
    throw new PincerError(
      'plugin_snapshot_failed',
      `could not copy the plugin to ${folder}: ${errorMessage(error)}`,
      { cause: error },
    );
  }
}

async function isIntact(fs: FileSystem, folder: string, hash: string): Promise<boolean> {
  if ((await fs.stat(folder)) === undefined) return false;
  return (await readPluginFiles(fs, { rootDir: folder })).hash === hash;
}

/** Written aside and renamed, so that the folder is there as a whole or not at all. */
async function write(parent: string, folder: string, files: readonly PluginFile[]): Promise<void> {
  const temporary = join(parent, `.${randomUUID()}`);
  await mkdir(temporary, { recursive: true });
  try {
    for (const file of files.filter((each) => each.kind === 'file')) {
      const path = join(temporary, file.path);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, file.content);
    }
    for (const link of files.filter((each) => each.kind === 'link')) {
      const path = join(temporary, link.path);
      await mkdir(dirname(path), { recursive: true });
      await symlink(link.target, path);
    }
    await rename(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function removeOld(fs: FileSystem, home: string, current: string): Promise<void> {
  const names = (await fs.readDirectory(home)).map(({ name }) => name);
  const aged = await Promise.all(
    names.map(async (name) => ({
      path: join(home, name),
      at: (await fs.stat(join(home, name)))?.mtimeMs ?? 0,
    })),
  );
  const old = aged.filter(({ path }) => path !== current).sort((a, b) => b.at - a.at);
  for (const { path } of old.slice(keptPerPlugin - 1)) await fs.remove(path);
}
