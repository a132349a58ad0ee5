import { errorMessage, PincerError } from '../../base/errors.ts';

/** Something went wrong inside the database, such as memory that ran out. */
export function indexFailed(cause: unknown): PincerError {
  return new PincerError('memory_index_failed', `The memory's index failed: ${errorMessage(cause)}`, {
    hint: 'Reindex the memory.',
    cause,
  });
}
