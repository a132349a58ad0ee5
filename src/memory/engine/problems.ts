import { errorMessage } from '../../base/errors.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';

/** The index can't be saved; it is kept in memory. */
export function lockFailed(error: unknown): Diagnostic {
  return {
    level: 'warn',
    code: 'memory_folder_unusable',
    message: `The folder of the memory's index can't be written to: ${errorMessage(error)}`,
    hint: 'Searches go on. Make room on the disk or check its permissions.',
  };
}

/** `reason`: a sentence of the provider's. */
export function embeddingFails(reason: string): Diagnostic {
  return {
    level: 'warn',
    code: 'memory_embedding_failing',
    message: `Searches go by text alone for now: ${reason}`,
    hint: 'The next attempt comes by itself.',
  };
}

/** For a look at all files as for single ones. */
export function passFailed(error: unknown): Diagnostic {
  return {
    level: 'error',
    code: 'memory_sync_failed',
    message: `The memory could not look at its files: ${errorMessage(error)}`,
    hint: 'It tries again at the next change. Searches answer from what it has.',
  };
}
