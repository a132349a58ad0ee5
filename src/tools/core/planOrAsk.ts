// Threat: what went wrong with an edit tells of the file: the nearest lines, or only that a text is not in it, which guesses a key
// sign by sign. Of a file that may hold secrets nothing is told before a person agreed that it is read.
import { PincerError } from '../../base/errors.ts';
import type { PreparedCall } from '../../contracts/tool.ts';
import { protectionOf } from '../paths/protectedPaths.ts';
import type { FoundPath } from './requirePath.ts';

/** What `plan` gives; where it fails and some of the files may hold secrets, a call that asks to read them and then fails so. */
export async function planOrAsk(
  files: readonly FoundPath[],
  plan: () => PreparedCall | Promise<PreparedCall>,
): Promise<PreparedCall> {
  try {
    return await plan();
  } catch (error) {
    const secrets = files.filter(
      ({ segments, stat }) => stat !== undefined && protectionOf(segments, 'read') !== undefined,
    );
    if (secrets.length === 0 || !(error instanceof PincerError)) throw error;
    return {
      effects: secrets.map(({ path }) => ({ kind: 'read', path })),
      run: () => Promise.reject(error),
    };
  }
}
