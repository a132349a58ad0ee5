import { errorMessage, PincerError } from '../base/errors.ts';
import type { CliProblem } from './output.ts';

/** Code, message, hint and place of anything that was thrown. */
export function toProblem(thrown: unknown): CliProblem {
  if (!(thrown instanceof PincerError)) return { code: 'internal', message: errorMessage(thrown) };
  const { code, hint, source, line } = thrown;
  return {
    code,
    message: errorMessage(thrown),
    ...(hint === undefined ? {} : { hint }),
    ...(source === undefined ? {} : { source }),
    ...(line === undefined ? {} : { line }),
  };
}
