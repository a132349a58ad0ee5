import { invalidKey } from './storageErrors.ts';

/** PostgreSQL's index takes 2,700 bytes for scope and key together. */
const maxBytes = 1_024;

/** @throws PincerError `storage_invalid_key`, in every backend alike */
export function checkKey(key: unknown): asserts key is string {
  if (typeof key !== 'string' || key === '') throw invalidKey('is a text that is not empty');
  checkPrefix(key);
}

/** A prefix may be empty: then it is of every key. @throws PincerError `storage_invalid_key` */
export function checkPrefix(prefix: unknown): asserts prefix is string {
  if (typeof prefix !== 'string') throw invalidKey('is a text');
  const fault = textFault(prefix, maxBytes);
  if (fault !== undefined) throw invalidKey(fault);
}

/** Half of a character outside the first plane: it has no UTF-8, and would be stored as another. */
const loneSurrogate = /\p{Surrogate}/u;

/** Why a text can't name something in every backend as it is; undefined where it can. */
function textFault(text: string, maxTextBytes: number): string | undefined {
  if (text.includes('\0')) return 'has a NUL in it';
  if (loneSurrogate.test(text)) return 'has half a character in it';
  const bytes = Buffer.byteLength(text);
  return bytes > maxTextBytes ? `has ${bytes} bytes, of at most ${maxTextBytes}` : undefined;
}
