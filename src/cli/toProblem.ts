import { errorMessage } from '../base/errors.ts';
import type { Problem } from './output.ts';

/**
 * Code, message and hint of anything that was thrown. Goes by the fields and not by `instanceof PincerError`: the runtime is a
 * bundle of its own and throws a class of its own.
 */
export function toProblem(thrown: unknown): Problem {
  const { code, hint } = isOurs(thrown) ? thrown : {};
  return {
    code: typeof code === 'string' ? code : 'internal',
    message: errorMessage(thrown),
    ...(typeof hint === 'string' ? { hint } : {}),
  };
}

function isOurs(thrown: unknown): thrown is { readonly code?: unknown; readonly hint?: unknown } {
  return thrown instanceof Error && thrown.name === 'PincerError';
}
