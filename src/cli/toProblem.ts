import { errorMessage, PincerError } from '../base/errors.ts';
import type { Problem } from './output.ts';

/** Code, message and hint of anything that was thrown. */
export function toProblem(thrown: unknown): Problem {
  if (!(thrown instanceof PincerError)) return { code: 'internal', message: errorMessage(thrown) };
  const { code, hint } = thrown;
  return { code, message: errorMessage(thrown), ...(hint === undefined ? {} : { hint }) };
}
