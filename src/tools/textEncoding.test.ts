import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText, encodeText, encodingOf, type TextEncoding } from './textEncoding.ts';

const encodings: readonly TextEncoding[] = ['utf-8', 'utf-16le', 'utf-16be'];

test.each(encodings)('what is read as %s gives the same bytes when it is written back', (encoding) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n', '\r\n', '\r'), (text, end) => {
      const stored = encodeText(`\uFEFF1${text.replaceAll('\0', '')}${end}`, encoding);
      expect(encodingOf(stored)).toBe(encoding);
      const read = decodeText(stored, 'a');
      expect(read.startsWith('\uFEFF1')).toBe(true);
      expect(encodeText(read, encoding)).toEqual(stored);
    }),
  );
});

test('UTF-16 is never written without the mark that says so', () => {
  expect([...encodeText('a', 'utf-16le')]).toEqual([0xff, 0xfe, 0x61, 0]);
  expect([...encodeText('a', 'utf-16be')]).toEqual([0xfe, 0xff, 0, 0x61]);
});

describe('refused is', () => {
  const codeOf = (...bytes: number[]): string => {
    try {
      decodeText(new Uint8Array(bytes), 'a.txt');
    } catch (error) {
      return (error as { code: string }).code;
    }
    return 'read';
  };

  test('what is no text', () => {
    expect(codeOf(1, 0, 2)).toBe('file_binary');
    // UTF-32 with its mark
    expect(codeOf(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)).toBe('file_binary');
  });

  test('text that is in another encoding, or broken off', () => {
    expect(codeOf(0x63, 0xe9, 0x21)).toBe('file_not_utf8');
    expect(codeOf(0xff, 0xfe, 0x61)).toBe('file_not_utf8');
    expect(codeOf(0xff, 0xfe, 0x00, 0xd8, 0x61, 0)).toBe('file_not_utf8');
  });
});
