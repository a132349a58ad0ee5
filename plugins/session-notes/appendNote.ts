// Threat: a workspace brings `memory` as a link to somewhere else, and the note is written there. Each folder on the way is
// looked at without following links, and the file itself is opened so that a link fails.
import { constants } from 'node:fs';
import { lstat, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface NotePlace {
  readonly workspaceDir: string;
  /** Below the workspace, with forward slashes. */
  readonly folder: string;
  readonly fileName: string;
}

/**
 * Appends a note to a file of the workspace, which is made where it is missing. A note that is already there is not written
 * again. @throws Error where the place is a link or not what it should be.
 */
export async function appendNote(place: NotePlace, title: string, note: string): Promise<void> {
  const folder = await ensureFolder(place);
  const file = join(folder, place.fileName);
  const kind = await kindOf(file);
  if (kind !== 'missing' && kind !== 'file')
    throw new Error(`${file} is ${kind}, so nothing was written to it`);
  const before = kind === 'missing' ? '' : await readFile(file, 'utf8');
  if (before.includes(note)) return;
  const start = before === '' ? `# ${title}\n\n` : before.endsWith('\n') ? '\n' : '\n\n';
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  const handle = await open(file, O_WRONLY | O_APPEND | O_CREAT | noFollow(), 0o644);
  try {
    await handle.appendFile(`${start}${note}\n`);
  } finally {
    await handle.close();
  }
}

async function ensureFolder({ workspaceDir, folder }: NotePlace): Promise<string> {
  let path = workspaceDir;
  for (const name of folder.split('/')) {
    if (name === '' || name === '.' || name === '..')
      throw new Error(`${folder} is not a folder of the workspace`);
    path = join(path, name);
    const kind = await kindOf(path);
    if (kind === 'missing') await mkdir(path);
    else if (kind !== 'folder') throw new Error(`${path} is ${kind}, so nothing was written there`);
  }
  return path;
}

async function kindOf(path: string): Promise<'missing' | 'file' | 'folder' | 'a link' | 'something else'> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return 'a link';
    if (stats.isDirectory()) return 'folder';
    return stats.isFile() ? 'file' : 'something else';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'missing';
    throw error;
  }
}

/** Windows has no such flag. */
function noFollow(): number {
  return (constants as Readonly<Record<string, number | undefined>>)['O_NOFOLLOW'] ?? 0;
}
