import { PincerError } from '../../base/errors.ts';

/** Nobody answers at a backend's place, or it lets nobody in. `why` never holds a password. */
export function storageUnavailable(place: string, why: string): PincerError {
  return new PincerError('storage_unavailable', `${place} can't be reached: ${why}`, {
    hint: 'Check that it runs, and the storage section of the agent file. The next use tries again.',
  });
}

export function storageTimedOut(place: string, limitMs: number): PincerError {
  return new PincerError('storage_timeout', `${place} did not answer within ${limitMs / 1_000} s.`, {
    hint: 'Check that it runs, and how busy it is. The next use tries again.',
  });
}

export function storageFailed(place: string, why: string): PincerError {
  return new PincerError('storage_failed', `${place} refused: ${why}`, {
    hint: 'Check what the user may do there that the storage section of the agent file names.',
  });
}

export function storageClosed(): PincerError {
  return new PincerError('storage_closed', 'The storage is closed: the agent that it belongs to has ended.', {
    hint: 'Write what has to be kept before cleanup() is over.',
  });
}

export function invalidAddress(backend: string, why: string): PincerError {
  return new PincerError('storage_invalid_address', `The address of ${backend} ${why}.`, {
    hint: 'Put it right in the storage section of the agent file.',
  });
}

export function invalidKey(why: string): PincerError {
  return new PincerError('storage_invalid_key', `A key of the storage ${why}.`, {
    hint: "Use a text such as 'my-plugin/limits', of up to 1024 bytes.",
  });
}

export function invalidRange(start: number, count: number): PincerError {
  return new PincerError(
    'storage_invalid_range',
    `A range has a start and a count that are whole numbers from 0 on, not ${start} and ${count}.`,
    { hint: 'Write getRange(key, 0, 10) for the first ten.' },
  );
}

export function invalidTtl(ttlSeconds: number): PincerError {
  return new PincerError(
    'storage_invalid_ttl',
    `What the cache keeps for a while is kept for more than 0 seconds, not ${ttlSeconds}.`,
    { hint: 'Write set(key, value, 60) for a minute, or leave the time out.' },
  );
}

export function notJson(key: string, why: string): PincerError {
  return new PincerError(
    'storage_not_json',
    `The value for ${shown(key)} can't be written as JSON: ${why}.`,
    {
      hint: 'The storage keeps objects, lists, texts, numbers, booleans and null.',
    },
  );
}

export function valueTooLarge(what: string, bytes: number, limit: number): PincerError {
  return new PincerError(
    'storage_too_large',
    `${what} has ${inMegabytes(bytes)}; the storage takes up to ${inMegabytes(limit)}.`,
    { hint: 'Store less at once, or in several parts.' },
  );
}

export function notAList(key: string): PincerError {
  return new PincerError('storage_not_a_list', `What is stored for ${shown(key)} is not a list.`, {
    hint: 'Use another key for the list, or delete this one first.',
  });
}

export function unreadableValue(key: string): PincerError {
  return new PincerError(
    'storage_unreadable',
    `What is stored for ${shown(key)} is not JSON: another program wrote it.`,
    { hint: 'Delete the key.' },
  );
}

export function notOurFile(file: string): PincerError {
  return new PincerError('storage_foreign_file', `${file} is not a storage file of Pincer.`, {
    hint: 'Name another file in the storage section of the agent file, or move this one away.',
  });
}

export function damagedFile(file: string, why: string): PincerError {
  return new PincerError('storage_damaged', `The storage file ${file} is damaged: ${why}`, {
    hint: 'Put a copy in its place, or move it away to begin with an empty storage.',
  });
}

export function storageFull(file: string, limit: number): PincerError {
  return new PincerError('storage_full', `The storage file ${file} is full (${inMegabytes(limit)}).`, {
    hint: 'Delete what is not needed any more, or use PostgreSQL.',
  });
}

export function storageBusy(file: string, limitMs: number): PincerError {
  return new PincerError(
    'storage_busy',
    `Another window has been writing ${file} for more than ${limitMs / 1_000} s.`,
    { hint: 'The next use tries again.' },
  );
}

function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 100_000) / 10} MB`;
}

/** Keys are any text, and may be long. */
function shown(key: string): string {
  return JSON.stringify(key.length > 100 ? `${key.slice(0, 100)}…` : key);
}
