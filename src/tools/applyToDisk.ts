// Threat: the user's work is lost because a change of several files stops half way, or falls on a file that is no longer what
// they saw. So everything is checked and lies ready on disk, the way back included, before the first file is touched; from
// there each step is one rename.
import { dirname } from 'node:path';
import { PincerError } from '../base/errors.ts';
import type { ExactPath, FileStat, FileSystem, StagedFile } from '../host/ports.ts';
import { settleAll } from './settleAll.ts';
import { staleEdit } from './staleEdit.ts';
import { decodeText, encodeText, encodingOf, wellFormed, type TextEncoding } from './textEncoding.ts';
import type { AppliedChange, TextChange } from './workspaceFiles.ts';

/** A change whose file is what `before` says. */
interface CheckedChange extends TextChange {
  readonly place: ExactPath;
  /** Undefined where the file is new. */
  readonly old: { readonly bytes: Uint8Array; readonly stat: FileStat } | undefined;
  /** Of the new text. */
  readonly encoding: TextEncoding;
  readonly newMode: number | undefined;
}

/** What lies ready: the new file, undefined where it is to go, and the old one for the way back. */
interface ReadyChange extends CheckedChange {
  readonly next: StagedFile | undefined;
  readonly back: StagedFile | undefined;
}

/**
 * Makes all changes or none.
 * @throws PincerError `edit_stale`, `io_*`: nothing was changed; `edit_not_undone`: names what could not be taken back
 */
export async function applyToDisk(
  fs: FileSystem,
  changes: readonly TextChange[],
): Promise<readonly AppliedChange[]> {
  requireOnce(changes);
  const checked = await settleAll(changes, (change) => check(fs, change));
  const staged: StagedFile[] = [];
  const stage = async (place: ExactPath, bytes: Uint8Array, mode?: number): Promise<StagedFile> => {
    try {
      const file = await fs.stageExact(place, bytes, mode);
      staged.push(file);
      return file;
    } catch (error) {
      throw nothingWritten(error);
    }
  };
  const made = await missingFolders(fs, checked);
  try {
    const ready = await settleAll(checked, async (change): Promise<ReadyChange> => {
      const { place, old, after, encoding, newMode } = change;
      const next = after === null ? undefined : await stage(place, encodeText(after, encoding), newMode);
      const needsWayBack = changes.length > 1 && old !== undefined;
      return { ...change, next, back: needsWayBack ? await stage(place, old.bytes) : undefined };
    });
    await settleAll(ready, (change) => requireUntouched(fs, change));
    await commitAll(fs, ready);
  } catch (error) {
    await cleanUp(staged);
    await removeEmpty(fs, made);
    throw error;
  }
  await cleanUp(staged);
  return changes.map(({ path, after }) => ({ path, text: after === null ? null : wellFormed(after) }));
}

/** Each would be checked against the same old text, and the last one would win. */
function requireOnce(changes: readonly TextChange[]): void {
  const twice = changes.find(({ path }, at) => changes.findIndex((each) => each.path === path) !== at);
  if (twice === undefined) return;
  throw new PincerError('edit_duplicate', `${twice.path} is changed twice at once; nothing was written.`, {
    hint: 'Make it one change.',
  });
}

/** What is left over harms nobody, and the changes are made or not: whether it could be removed says nothing about them. */
async function cleanUp(staged: readonly StagedFile[]): Promise<void> {
  await Promise.allSettled(staged.map((file) => file.discard()));
}

/** The folders that new files will be the first in, the deepest first. */
async function missingFolders(
  fs: FileSystem,
  changes: readonly CheckedChange[],
): Promise<readonly ExactPath[]> {
  const missing = new Map<string, ExactPath>();
  for (const { place, old } of changes) {
    if (old !== undefined) continue;
    let path = dirname(place.path);
    while (path.length > place.root.length && !missing.has(path) && (await fs.lstat(path)) === undefined) {
      missing.set(path, { root: place.root, path });
      path = dirname(path);
    }
  }
  return [...missing.values()].sort((a, b) => b.path.length - a.path.length);
}

async function removeEmpty(fs: FileSystem, folders: readonly ExactPath[]): Promise<void> {
  for (const folder of folders) await fs.removeEmptyExact(folder).catch(() => undefined);
}

async function check(fs: FileSystem, change: TextChange): Promise<CheckedChange> {
  const { path, root = dirname(path), before, like } = change;
  const place: ExactPath = { root, path };
  const stat = await fs.lstat(path);
  if (stat === undefined) {
    if (before !== null) throw staleEdit(path, 'is gone');
    const model = like === undefined ? undefined : await fs.lstat(like);
    const encoding =
      like === undefined || model === undefined ? 'utf-8' : encodingOf(await fs.readFile(like));
    return { ...change, place, old: undefined, encoding, newMode: model?.mode };
  }
  if (stat.kind === 'directory') throw inTheWay(path);
  if (stat.mode !== undefined && (stat.mode & 0o222) === 0) throw readOnly(path);
  const bytes = await fs.readExact(place);
  if (textOf(bytes, path) !== before) throw staleEdit(path, before === null ? 'is there by now' : 'changed');
  return { ...change, place, old: { bytes, stat }, encoding: encodingOf(bytes), newMode: undefined };
}

/** A file that is no text any more is not what it was. */
function textOf(bytes: Uint8Array, path: string): string | undefined {
  try {
    return decodeText(bytes, path);
  } catch (error) {
    if (error instanceof PincerError && error.code.startsWith('file_')) return undefined;
    throw error;
  }
}

/** Looks once more right before the first rename: writing took its time. */
async function requireUntouched(fs: FileSystem, { path, old }: CheckedChange): Promise<void> {
  const now = await fs.lstat(path);
  if (now?.mtimeMs !== old?.stat.mtimeMs || now?.size !== old?.stat.size) throw staleEdit(path, 'changed');
}

/** Deletions go last: what a move takes away stands in its new place by then. */
async function commitAll(fs: FileSystem, ready: readonly ReadyChange[]): Promise<void> {
  const done: ReadyChange[] = [];
  try {
    for (const change of [...ready].sort((a, b) => Number(a.after === null) - Number(b.after === null))) {
      if (change.next === undefined) await fs.removeExact(change.place);
      else await change.next.commit();
      done.push(change);
    }
  } catch (error) {
    await takeBack(fs, done.reverse(), error);
    throw nothingWritten(error);
  }
}

async function takeBack(fs: FileSystem, done: readonly ReadyChange[], cause: unknown): Promise<void> {
  const left: string[] = [];
  for (const { path, place, back } of done) {
    try {
      if (back === undefined) await fs.removeExact(place);
      else await back.commit();
    } catch {
      left.push(path);
    }
  }
  if (left.length === 0) return;
  throw new PincerError(
    'edit_not_undone',
    `A change failed in the middle, and these files could not be put back: ${left.join(', ')}.`,
    { hint: 'Tell the user at once. A checkpoint of this turn has the old texts.', cause },
  );
}

/** What the disk said, and that all files are as they were. */
function nothingWritten(error: unknown): unknown {
  if (!(error instanceof PincerError)) return error;
  const { code, message, hint = 'Tell the user what the disk says.' } = error;
  return new PincerError(code, `${message.replace(/\.$/u, '')}; nothing was written.`, {
    hint,
    cause: error,
  });
}

function inTheWay(path: string): PincerError {
  return new PincerError('io_not_a_file', `${path} is a folder; nothing was written.`, {
    hint: 'Choose another name, or ask the user to remove the folder.',
  });
}

function readOnly(path: string): PincerError {
  return new PincerError('io_forbidden', `${path} is read-only; nothing was written.`, {
    hint: 'Ask the user to make it writable.',
  });
}
