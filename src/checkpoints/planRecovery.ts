import type { CurrentFile } from './planRestore.ts';
import type { RecordedFile } from './journalLines.ts';

/** What to do about a change whose process was killed. */
export interface RecoveryPlan {
  /** True where every file is as it was going to be: the change was made, only its end was not written down. */
  readonly isComplete: boolean;
  /** Written already; they get back what the disk held. */
  readonly takeBack: readonly RecordedFile[];
  /** Neither what they were nor what they were going to be: somebody else's, or an editor formatted them. */
  readonly leave: readonly RecordedFile[];
  /** Can't be looked at now: their folder is not open, or something else lies in their place. */
  readonly refused: readonly RefusedFile[];
}

export interface RefusedFile {
  readonly file: RecordedFile;
  readonly reason: string;
}

/** `now` is what the files hold, in their order. Pure. */
export function planRecovery(files: readonly RecordedFile[], now: readonly CurrentFile[]): RecoveryPlan {
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
