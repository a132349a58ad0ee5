/**
 * The text of a file: UTF-8, or UTF-16 where it begins with that mark. The mark is dropped; bytes that are no text become U+FFFD,
 * which moves no line. Undefined for what is no text at all: it holds a NUL.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-8' && bytes.includes(0)) return undefined;
  const text = new TextDecoder(encoding).decode(bytes);
  return encoding !== 'utf-8' && text.includes('\0') ? undefined : text;
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
