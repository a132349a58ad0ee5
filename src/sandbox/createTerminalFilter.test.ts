import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTerminalFilter } from './createTerminalFilter.ts';

const filter = (...pieces: readonly string[]): string => {
  const each = createTerminalFilter();
  return pieces.map(each).join('');
};

test.each([
  ['colours pass', '\u001B[1;31mred\u001B[0m', '\u001B[1;31mred\u001B[0m'],
  ['progress bars pass', '10%\r\u001B[2K20%\b!', '10%\r\u001B[2K20%\b!'],
  ['a line feed begins a line', 'a\nb', 'a\r\nb'],
  ['the cursor may be hidden', '\u001B[?25l', '\u001B[?25l'],
  ['the clipboard is out of reach', '\u001B]52;c;ZXZpbA==\u0007x', 'x'],
  ['no links and titles', '\u001B]0;t\u0007\u001B]8;;command:x\u001B\\l\u001B]8;;\u001B\\', 'l'],
  ['no marks of shell integration', '\u001B]633;E;rm\u0007x', 'x'],
  [
    'nothing makes the terminal answer',
    '\u001B[6n\u001B[c\u001B[>c\u001B[21t\u001BP$qm\u001B\\\u001BZ\u0005x',
    'x',
  ],
  ['no other screen, no reports of the mouse', '\u001B[?1049h\u001B[?1003h\u001Bcx', 'x'],
])('%s', (_rule, raw, shown) => {
  expect(filter(raw)).toBe(shown);
});

test('shows the same however it is cut into pieces, and never a sequence that is not harmless', () => {
  const part = fc.constantFrom(
    '\u001B',
    '[',
    ']',
    '6',
    'n',
    'm',
    '\u0007',
    '\\',
    'P',
    '\r',
    '\n',
    'a',
    '\u009B',
    '?25',
    'h',
    'c',
    '\u009D',
  );
  fc.assert(
    fc.property(fc.array(fc.array(part).map((each) => each.join(''))), (pieces) => {
      const shown = filter(...pieces);
      expect(shown).toBe(filter(pieces.join('')));
      const left = shown.replace(/(?:\u001B\[|\u009B)(?:[\d;:]*[A-HJKLMPSTX`adefm]|\?(?:25|7|12)[hl])/gu, '');
      expect(left).not.toMatch(/[\u0000-\u0007\u000B\u000C\u000E-\u001F\u007F-\u009F]/u);
    }),
  );
});
