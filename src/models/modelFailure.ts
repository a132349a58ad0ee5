import { PincerError } from '../base/errors.ts';

interface ModelFailureOptions {
  /** The one step that helps. */
  readonly hint: string;
  /** How long the server asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/**
 * The error of a model that could not answer; `code` is one of those that `Model.stream` names. Nothing in it may hold a
 * key, `cause` included: it reaches the chat and the log.
 */
export function modelFailure(code: string, message: string, options: ModelFailureOptions): PincerError {
  const { retryAfterMs, ...rest } = options;
  const error = new PincerError(code, message, rest);
  // A property, since the bundles each have a copy of this module and a table in one would not know the other's errors.
  return retryAfterMs === undefined ? error : Object.assign(error, { retryAfterMs });
}

/** Milliseconds that the server asked to wait before the next try; undefined where it named no time. */
export function retryAfterOf(error: unknown): number | undefined {
  if (!(error instanceof PincerError) || !('retryAfterMs' in error)) return undefined;
  return typeof error.retryAfterMs === 'number' ? error.retryAfterMs : undefined;
}
