import { errorMessage, PincerError } from '../base/errors.ts';
import type { Checkpoints, EncodeChange } from '../checkpoints/checkpoints.ts';
import { byteOrderMark, encodeText, encodingOf } from './textEncoding.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

/** The same files, but what they hold is kept before it is changed; a change that can't be kept is not made. */
export function createRecordedFiles(
  files: WorkspaceFiles,
  checkpoints: Pick<Checkpoints, 'begin'>,
): WorkspaceFiles {
  return {
    ...files,
    async apply(changes, call) {
      const pending = await checkpoints.begin(changes, call);
      try {
        const applied = await files.apply(changes, call);
        await pending.done();
        return applied;
      } catch (error) {
        await pending.failed().catch((undoError: unknown) => {
          throw notUndone(error, undoError);
        });
        throw error;
      }
    },
  };
}

/** The bytes of a change as `createDiskFiles` and editors write them. Pure. */
export const encodeChange: EncodeChange = ({ before, after }, like) => {
  const encoding = encodingOf(like ?? new Uint8Array());
  // An editor keeps the mark of a file as part of its encoding, not of the text that it hands out.
  const isApart = before !== null && hasUtf8Mark(like) && !before.startsWith(byteOrderMark);
  const toBytes = (text: string | null): Uint8Array | null =>
    text === null ? null : encodeText(isApart ? byteOrderMark + text : text, encoding);
  return { before: toBytes(before), after: toBytes(after) };
};

function hasUtf8Mark(bytes: Uint8Array | null): boolean {
  return bytes !== null && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function notUndone(error: unknown, undoError: unknown): PincerError {
  return new PincerError(
    'edit_not_undone',
    `${errorMessage(error)} What was written before that could not be taken back: ${errorMessage(undoError)}`,
    { hint: 'Tell the user to look at the changed files.', cause: error },
  );
}
