import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** Files by their path inside a folder. */
export type Files = Readonly<Record<string, string>>;

/** What a folder is filled with: a copy of another folder, files by path, or both (the files win). */
export interface FolderContent {
  readonly copyOf?: string;
  readonly files?: Files;
}

export async function writeFolder(folder: string, content: FolderContent): Promise<void> {
  await mkdir(folder, { recursive: true });
  if (content.copyOf !== undefined) await cp(content.copyOf, folder, { recursive: true });
  for (const [path, text] of Object.entries(content.files ?? {})) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Removes what is in a folder, and leaves the folder: a window may watch it. */
export async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * Leaves a folder with nothing but this. What is there as it should be stays untouched: a window that watches the folder hears of
 * changes only.
 */
export async function layFolder(folder: string, content: FolderContent): Promise<void> {
  const wanted = content.copyOf === undefined ? (content.files ?? {}) : {};
  const isWanted = (path: string): boolean =>
    Object.keys(wanted).some((each) => each === path || each.startsWith(`${path}/`));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    const isSame = entry.isDirectory()
      ? isWanted(name) && !Object.hasOwn(wanted, name)
      : entry.isFile() && (await readIfThere(path)) === wanted[name];
    if (!isSame) await rm(path, { recursive: true, force: true });
  }
  const missing = Object.entries(wanted).filter(([path]) => !existsSync(join(folder, path)));
  await writeFolder(folder, content.copyOf === undefined ? { files: Object.fromEntries(missing) } : content);
}

/** It may lie in a folder that was just removed. */
async function readIfThere(path: string): Promise<string | undefined> {
  return existsSync(path) ? await readFile(path, 'utf8') : undefined;
}

/** Whether a folder holds these files and no others. */
export async function holdsExactly(folder: string, files: Files): Promise<boolean> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  if (paths.length !== Object.keys(files).length) return false;
  const same = paths.map(async (path) => (await readFile(path, 'utf8')) === files[relative(folder, path)]);
  return (await Promise.all(same)).every(Boolean);
}
