import { PincerError } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';

const seeDocs = 'docs/replay.md describes the format.';

/** A line that can not be played. */
export function invalidScript(name: string, line: number, problem: string): PincerError {
  return new PincerError('replay_invalid', `${name}:${line}: ${problem}`, { hint: seeDocs });
}

/** A file without a single turn. */
export function emptyScript(name: string): PincerError {
  return new PincerError('replay_invalid', `${name} has no turns to replay.`, { hint: seeDocs });
}

/** The run asked for more answers than the script has. */
export function exhaustedScript(name: string, turns: number): PincerError {
  return new PincerError(
    'replay_exhausted',
    `${name} has ${plural(turns, 'turn')}, and all have been played; the run asked for another.`,
    { hint: 'Add a line to the script, or find out why the run goes on.' },
  );
}

/** The request is not what the script expects. */
export function mismatchedScript(name: string, line: number, problem: string): PincerError {
  return new PincerError('replay_mismatch', `${name}:${line}: ${problem}`, {
    hint: 'Either the run or the “expect” of that line is wrong.',
  });
}
