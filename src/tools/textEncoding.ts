import { PincerError } from '../base/errors.ts';

/** How a file stores its text. All but plain UTF-8 begin with a byte order mark. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** A NUL byte in the first part of a file is what Git, too, takes as binary. */
const binaryProbe = 8_000;

/** What a byte order mark says; without one a text can only be UTF-8. */
export function encodingOf(bytes: Uint8Array): TextEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/**
 * All of a file's text: UTF-8, or UTF-16 with a byte order mark. The mark stays the first character, and line ends stay as they
 * are, so that `encodeText` gives the same bytes again.
 * @throws PincerError `file_binary`, `file_not_utf8`: what is decoded only in part would be damaged when written back
 */
export function decodeText(bytes: Uint8Array, path: string): string {
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-8' && bytes.subarray(0, binaryProbe).includes(0)) throw binary(path);
  const text = decode(bytes, encoding, path);
  // UTF-32 begins like UTF-16 and is full of NULs then.
  if (encoding !== 'utf-8' && text.slice(0, binaryProbe).includes('\0')) throw binary(path);
  return text;
}

/** The bytes of a text. UTF-16 gets a byte order mark where the text has none: without one nobody could read it again. */
export function encodeText(text: string, encoding: TextEncoding): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  const marked = text.startsWith(byteOrderMark) ? text : byteOrderMark + text;
  const bytes = Buffer.from(wellFormed(marked), 'utf16le');
  return encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

/** Half of a surrogate pair is no character and can't be stored; it becomes the mark of a missing one. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

export const byteOrderMark = '\uFEFF';

function decode(bytes: Uint8Array, encoding: TextEncoding, path: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new PincerError('file_not_utf8', `${path} is neither UTF-8 nor UTF-16 with a byte order mark.`, {
      hint: 'Do not change it. Ask the user to save it as UTF-8: in VS Code "Change File Encoding", then "Save with Encoding".',
      cause: error,
    });
  }
}

function binary(path: string): PincerError {
  return new PincerError('file_binary', `${path} is a binary file.`, {
    hint: 'Only text can be read and changed.',
  });
}
