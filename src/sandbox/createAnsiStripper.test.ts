import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAnsiStripper, foldReturns } from './createAnsiStripper.ts';

const strip = (...pieces: readonly string[]): string => {
  const stripper = createAnsiStripper();
  return pieces.map(stripper).join('');
};

describe('terminal output', () => {
  test.each([
    ['\u001B[31mred\u001B[0m', 'red'],
    ['\u001B[1;38;5;196mx\u001B[m', 'x'],
    ['\u001B]0;title\u0007a\u001B]8;;https://x\u001B\\link\u001B]8;;\u001B\\', 'alink'],
    ['\u001B(Bplain\u001B=', 'plain'],
    ['\u009B31mred', 'red'],
    ['\u001BPq#0\u001B\\after', 'after'],
    ['\u001B[31\u0018kept', 'kept'],
    ['a\u0000\u0008b\u0007\tc\n', 'ab\tc\n'],
    ['one\r\ntwo\r\n', 'one\ntwo\n'],
    ['\u001B[2K\u001B[1Gx', 'x'],
    ['日本語 👩', '日本語 👩'],
  ])('%j is %j as text', (raw, plain) => {
    expect(strip(raw)).toBe(plain);
  });

  test('is the same text however it is cut into pieces', () => {
    const part = fc.constantFrom(
      '\u001B',
      '[',
      ']',
      '0;',
      '31m',
      '\u0007',
      '\\',
      'P',
      '(',
      'B',
      '\r',
      '\n',
      'a',
      '\u009B',
      '\u0018',
      'é',
    );
    fc.assert(
      fc.property(fc.array(fc.array(part).map((each) => each.join(''))), (pieces) => {
        expect(strip(...pieces)).toBe(strip(pieces.join('')));
      }),
    );
  });

  test('a sequence without an end does not hide what follows for ever', () => {
    expect(strip(`\u001B]${'x'.repeat(20_000)}end`)).toMatch(/^x+end$/u);
  });

  test('never keeps a sign that a terminal would obey, but the return', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(255)), (codes) => {
        const raw = String.fromCharCode(...codes);
        expect(strip(raw)).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/u);
      }),
    );
  });
});

test('a line that was drawn over shows what was drawn last', () => {
  expect(foldReturns(strip('10%\r50%\r100%\ndone\r\n'))).toBe('100%\ndone\n');
  expect(foldReturns('a\rb\r')).toBe('b');
  expect(foldReturns('a\r\nb')).toBe('a\nb');
});
