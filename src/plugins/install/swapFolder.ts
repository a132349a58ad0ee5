import { randomUUID } from 'node:crypto';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileSystem } from '../../host/ports.ts';
import type { PluginFile } from '../consent/readPluginFiles.ts';

/** Writes files into a new folder below `parent`; what fails half-way leaves nothing. Gives its path. */
export async function stageFiles(
  fs: FileSystem,
  parent: string,
  files: readonly PluginFile[],
): Promise<string> {
  const folder = join(parent, `.install-${randomUUID()}`);
  await mkdir(folder, { recursive: true });
  try {
    for (const file of files) {
      const path = join(folder, file.path);
      await mkdir(dirname(path), { recursive: true });
      if (file.kind === 'file') await writeFile(path, file.content);
    }
    // Last, so that no file is written through a link.
    for (const file of files) if (file.kind === 'link') await symlink(file.target, join(folder, file.path));
    return folder;
  } catch (error) {
    await fs.remove(folder);
    throw error;
  }
}

/** A folder that was put in the place of another. One of the two must be called. */
interface SwappedFolder {
  /** Removes what was there before. */
  keep(): Promise<void>;
  /** Puts back what was there before. */
  undo(): Promise<void>;
}

/** Moves `staged` to `target`, at once: there is the old folder or the new one, never half of one. */
export async function swapFolder(fs: FileSystem, staged: string, target: string): Promise<SwappedFolder> {
  const aside = `${staged}-before`;
  const hadOne = (await fs.lstat(target)) !== undefined;
  await mkdir(dirname(target), { recursive: true });
  if (hadOne) await rename(target, aside);
  const putBack = async (): Promise<void> => {
    if (hadOne) await rename(aside, target);
  };
  try {
    await rename(staged, target);
  } catch (error) {
    await putBack();
    throw error;
  }
  return {
    keep: () => fs.remove(aside),
    async undo() {
      await rename(target, staged);
      await putBack();
      await fs.remove(staged);
    },
  };
}
