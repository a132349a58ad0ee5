import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasHiddenCharacters } from '../base/text.ts';
import { showHidden, showHiddenLine } from './showHidden.ts';

test.each([
  ['a\u202Eb', 'a⟨U+202E⟩b'],
  ['ls\u00A0-la', 'ls⟨U+00A0⟩-la'],
  ['a\rb\u0007', 'a⟨U+000D⟩b⟨U+0007⟩'],
  ['tag\u{E0041}', 'tag⟨U+E0041⟩'],
  ['x\u2800y\u3164', 'x⟨U+2800⟩y⟨U+3164⟩'],
  ['half\uD800', 'half⟨U+D800⟩'],
  ['Zeile für 日本 🙂\n\tplain', 'Zeile für 日本 🙂\n\tplain'],
])('%j is shown as %j', (text, shown) => {
  expect(showHidden(text)).toBe(shown);
});

test('one line shows where the lines ended', () => {
  expect(showHiddenLine('a\nb\tc')).toBe('a ⏎ b ⇥ c');
});

test('nothing that is hidden stays, and no letter is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = showHidden(text);
      expect(hasHiddenCharacters(shown)).toBe(false);
      expect(shown.replace(/\p{L}/gu, '').length).toBeLessThanOrEqual(shown.length);
      const letters = (of: string): string =>
        of.replace(/⟨U\+[0-9A-F]{4,6}⟩/gu, '').replace(/[^\p{L}\p{N}]/gu, '');
      // Fillers count as letters for Unicode; they are what is shown as a code.
      const plain = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
      expect(letters(shown)).toBe(plain.replace(/⟨U\+[0-9A-F]{4,6}⟩/gu, '').replace(/[^\p{L}\p{N}]/gu, ''));
    }),
  );
});
