import { PincerError } from '../base/errors.ts';

/** A file is no longer what the user saw; `what` goes between its path and "after this edit was prepared". */
export function staleEdit(path: string, what: string): PincerError {
  return new PincerError('edit_stale', `${path} ${what} after this edit was prepared; nothing was written.`, {
    hint: 'Read the file again and base the edit on what it says now.',
  });
}
