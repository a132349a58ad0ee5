import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

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
