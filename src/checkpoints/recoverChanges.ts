// Threat: a killed process leaves the workspace between two states, which compiles to neither. Each change that was begun and
// never ended is made whole again before anything else happens, and what somebody else has written since is not touched.
import { dirname, join } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { ExactPath, FileSystem, Log } from '../host/ports.ts';
import type { TakeBackUnsaved } from './checkpoints.ts';
import { hashOf, type BlobStore } from './createBlobStore.ts';
import type { Journal } from './createJournal.ts';
import { contentLost } from './checkpointErrors.ts';
import type { BeginLine, RecordedFile, TurnHeader } from './journalLines.ts';
import type { WorkspacePlaces } from './workspacePlaces.ts';
import type { CurrentFile } from './planRestore.ts';

export interface RecoveryParts {
  readonly fs: FileSystem;
  readonly log: Log;
  readonly blobs: BlobStore;
  readonly journal: Journal;
  readonly places: WorkspacePlaces;
}

/**
 * Completes or takes back one change of a process that is gone, in the editors too, and tells what came of it. Rejects where
 * the disk fails.
 */
export async function recoverChange(
  parts: RecoveryParts & { readonly takeBackUnsaved: TakeBackUnsaved | undefined },
  turn: TurnHeader,
  begin: BeginLine,
): Promise<readonly Diagnostic[]> {
  await removeTemporary(parts, begin);
  const plan = planRecovery(begin.files, await lookAt(parts.places, begin.files));
  if (plan.isComplete) {
    await endChange(parts, turn, begin, 'done');
    return [];
  }
  await putBack(parts, plan.takeBack);
  const unsaved = await takeBackUnsaved(parts, begin.files);
  await removeNewFolders(parts, begin.files);
  await settle(parts, turn, begin, plan);
  const takenBack = begin.files.filter((file) => plan.takeBack.includes(file) || unsaved.includes(file));
  return [...plan.refused.map(notReached), ...plan.leave.map(leftAlone), ...tellTakenBack(takenBack)];
}

/** A change that could not be made: what was written nevertheless goes back. */
export async function undoChange(parts: RecoveryParts, turn: TurnHeader, begin: BeginLine): Promise<void> {
  const plan = planRecovery(begin.files, await lookAt(parts.places, begin.files));
  await putBack(parts, plan.isComplete ? begin.files : plan.takeBack);
  await settle(parts, turn, begin, plan);
}

async function settle(
  parts: RecoveryParts,
  turn: TurnHeader,
  begin: BeginLine,
  { leave, refused }: RecoveryPlan,
): Promise<void> {
  // It stays open, so that the next start tries the rest again.
  if (refused.length > 0) return;
  // A file that was left can still be restored; compared with what was going to be written it counts as the user's.
  await endChange(parts, turn, begin, leave.length === 0 ? 'failed' : 'done');
}

/**
 * A window outlives its killed process, and its editors may hold what was going to be written: saved a moment later, it would
 * leave the files between two states after all. Gives the files that were held so.
 */
async function takeBackUnsaved(
  { blobs, places, takeBackUnsaved: takeBack }: Parameters<typeof recoverChange>[0],
  files: readonly RecordedFile[],
): Promise<readonly RecordedFile[]> {
  if (takeBack === undefined) return [];
  const taken: RecordedFile[] = [];
  for (const file of files) {
    // What the user had not saved themselves is their work too.
    const held = file.unsaved ?? file.disk;
    const place = await placeOrNothing(places, file.path);
    const content = held === null ? undefined : await blobs.get(held);
    if (place === undefined || content === undefined) continue;
    if (await takeBack(place, (bytes) => hashOf(bytes) === file.after, content)) taken.push(file);
  }
  return taken;
}

async function lookAt(
  places: WorkspacePlaces,
  files: readonly RecordedFile[],
): Promise<Awaited<ReturnType<WorkspacePlaces['look']>>[]> {
  return await Promise.all(files.map((file) => places.look(file.path)));
}

async function putBack({ blobs, places }: RecoveryParts, files: readonly RecordedFile[]): Promise<void> {
  const contents = await Promise.all(
    files.map(async ({ path, label, disk, mode }) => {
      const bytes = disk === null ? null : await blobs.get(disk);
      if (bytes === undefined) throw contentLost(label);
      return { path, bytes, ...(mode === undefined ? {} : { mode }) };
    }),
  );
  if (contents.length > 0) await places.write(contents);
}

/**
 * Writes down how a change ended; never rejects. Where it can't be written the change stays open: its files are whole, and the
 * next start sees which way.
 */
export async function endChange(
  { journal, log }: Pick<RecoveryParts, 'journal' | 'log'>,
  turn: TurnHeader,
  { id, files }: BeginLine,
  state: 'done' | 'failed',
  written: readonly (string | null)[] = files.map((file) => file.after),
): Promise<void> {
  try {
    await journal.end(turn, { type: 'end', id, state, written: [...written] });
  } catch (error) {
    log.write('warn', `The end of a change could not be recorded: ${errorMessage(error)}`);
  }
}

/** As the host names what it writes beside a file before it puts it into place. */
const temporaryName = /^\.pincer-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/u;

/** New content that was never put into its place. */
async function removeTemporary({ fs, places }: RecoveryParts, { files }: BeginLine): Promise<void> {
  const folders = new Map<string, ExactPath>();
  for (const { path } of files) {
    const place = await placeOrNothing(places, path);
    if (place !== undefined) folders.set(dirname(place.path), place);
  }
  for (const [folder, { root }] of folders) {
    if ((await fs.lstat(folder))?.kind !== 'directory') continue;
    for (const { name, kind } of await fs.readDirectory(folder)) {
      if (kind === 'file' && temporaryName.test(name))
        await fs.removeExact({ root, path: join(folder, name) });
    }
  }
}

/** Folders that were made for new files; one that holds anything stays. */
async function removeNewFolders(
  { fs, places }: RecoveryParts,
  files: readonly RecordedFile[],
): Promise<void> {
  for (const { path, newFolder } of files) {
    const place = newFolder === undefined ? undefined : await placeOrNothing(places, path);
    if (newFolder === undefined || place === undefined) continue;
    const { root } = place;
    const top = Math.max(newFolder.length, root.length + 1);
    for (let folder = dirname(place.path); folder.length >= top; folder = dirname(folder))
      await fs.removeEmptyExact({ root, path: folder });
  }
}

async function placeOrNothing(places: WorkspacePlaces, path: string): Promise<ExactPath | undefined> {
  try {
    return (await places.require(path)).place;
  } catch {
    // It is told of as left alone.
    return undefined;
  }
}

function notReached({ file: { path, label }, reason }: RefusedFile): Diagnostic {
  return {
    level: 'warn',
    code: 'change_not_recovered',
    message: `Pincer was stopped while it changed ${label}, and the file can't be looked at: ${reason}`,
    hint: 'It is tried again at the next start.',
    source: path,
  };
}

function leftAlone({ path, label }: RecordedFile): Diagnostic {
  return {
    level: 'warn',
    code: 'change_interrupted',
    message: `Pincer was stopped while it changed ${label}, and the file is neither what it was nor what it was going to be. It was left as it is.`,
    hint: 'Look at the file. Pincer: Restore Checkpoint brings back what it held before.',
    source: path,
  };
}

function tellTakenBack(files: readonly RecordedFile[]): readonly Diagnostic[] {
  if (files.length === 0) return [];
  const labels = files.map((file) => file.label).join(', ');
  return [
    {
      level: 'info',
      code: 'change_taken_back',
      message: `Pincer was stopped in the middle of a change. What it had written was taken back: ${labels}.`,
    },
  ];
}

/** It stays as it is and is tried again at the next start. */
export function recoveryFailed({ files }: BeginLine, error: unknown): Diagnostic {
  const labels = files.map((file) => file.label).join(', ');
  return {
    level: 'error',
    code: 'change_not_recovered',
    message: `Pincer was stopped while it changed ${labels}, and this could not be cleaned up: ${errorMessage(error)}`,
    hint: 'Look at these files. It is tried again at the next start.',
    ...(files[0] === undefined ? {} : { source: files[0].path }),
  };
}

/** What to do about a change whose process was killed. */
interface RecoveryPlan {
  /** True where every file is as it was going to be: the change was made, only its end was not written down. */
  readonly isComplete: boolean;
  /** Written already; they get back what the disk held. */
  readonly takeBack: readonly RecordedFile[];
  /** Neither what they were nor what they were going to be: somebody else's, or an editor formatted them. */
  readonly leave: readonly RecordedFile[];
  /** Can't be looked at now: their folder is not open, or something else lies in their place. */
  readonly refused: readonly RefusedFile[];
}

interface RefusedFile {
  readonly file: RecordedFile;
  readonly reason: string;
}

/** `now` is what the files hold, in their order. Pure. */
function planRecovery(files: readonly RecordedFile[], now: readonly CurrentFile[]): RecoveryPlan {
  const states = files.map((file, index) => ({ file, state: stateOf(file, now[index]) }));
  const filesIn = (state: FileState): readonly RecordedFile[] =>
    states.flatMap((each) => (each.state === state ? [each.file] : []));
  const isComplete = states.every(({ state }) => state === 'after');
  const refused = files.flatMap((file, index) => {
    const state = now[index];
    return state !== undefined && 'refused' in state ? [{ file, reason: state.refused }] : [];
  });
  return { isComplete, takeBack: isComplete ? [] : filesIn('after'), leave: filesIn('other'), refused };
}

type FileState = 'before' | 'after' | 'other' | 'refused';

function stateOf(file: RecordedFile, now: CurrentFile | undefined): FileState {
  if (now === undefined || 'refused' in now) return 'refused';
  // Where both are the same text, nothing has to be done.
  if (now.hash === file.disk) return 'before';
  return now.hash === file.after ? 'after' : 'other';
}
