import { errorMessage, PincerError } from '../../base/errors.ts';

/** The database engine's own file is missing or damaged: a fault of the installation. */
export function databaseEngineBroken(wasmFile: string, cause: unknown): PincerError {
  return new PincerError(
    'memory_engine_broken',
    `The memory's database engine could not be started from ${wasmFile}: ${errorMessage(cause)}`,
    { hint: 'Install Pincer again.', cause },
  );
}

/** Something went wrong inside the database, such as memory that ran out. */
export function indexFailed(cause: unknown): PincerError {
  return new PincerError('memory_index_failed', `The memory's index failed: ${errorMessage(cause)}`, {
    hint: 'Reindex the memory.',
    cause,
  });
}
