import type { Diagnostic } from '../contracts/diagnostic.ts';

/**
 * What people are told of a file of the state folder that can't be read: it may have held something. `lost` is a sentence without
 * its full stop that says what they will miss, `hint` what to do. Pure.
 */
export function unreadableState(file: string, lost: string, hint: string): Diagnostic {
  return {
    level: 'warn',
    code: 'state_unreadable',
    message: `${lost}: ${file} can't be read.`,
    hint,
    source: file,
  };
}
