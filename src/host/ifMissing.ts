import { PincerError } from '../base/errors.ts';

/** For `catch` behind a read: gives `otherwise` where there is no such file or folder, and throws what else went wrong. Pure. */
export function ifMissing<T>(otherwise: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof PincerError && error.code === 'io_not_found') return otherwise;
    throw error;
  };
}
