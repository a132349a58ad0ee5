import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Makes each folder `packages` of a workspace plugin a `node_modules`: git ignores the real name.
 * @param plugin name of the plugin's folder
 */
export function installPackages(plugin: string): (root: string) => Promise<void> {
  return (root) => renameIn(join(root, 'workspace/.pincer/plugins', plugin));
}

async function renameIn(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    await renameIn(join(folder, entry.name));
    if (entry.name === 'packages') await rename(join(folder, entry.name), join(folder, 'node_modules'));
  }
}
