import { describe, expect, it } from 'vitest';
import { escapeMarkdown, hasHiddenCharacters, inertLine, keepEscapedIcons, linesOf } from './text.ts';

describe('inertLine', () => {
  it.each([
    0x00, 0x1b, 0x7f, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x200b, 0x202e, 0x2066,
    0x3164, 0xfe00, 0xfe0f, 0xffa0, 0xe0000, 0xe0041, 0xe0100, 0xe0fff,
  ])('takes out what is not seen: U+%i', (code) => {
    const text = `a${String.fromCodePoint(code)}b`;
    expect(hasHiddenCharacters(text)).toBe(true);
    expect(inertLine(text, 10)).toBe('ab');
  });

  it('keeps what is seen, beyond the basic plane too', () => {
    const text = 'naïve 漢字 한국 ខ្មែរ 😀 𝒳 ⚠️ ❤️ 1️⃣';
    expect(hasHiddenCharacters(text)).toBe(false);
    expect(inertLine(text, 100)).toBe(text);
  });
});

describe('linesOf', () => {
  it('gives each line with what ends it', () => {
    expect(linesOf('')).toEqual([]);
    expect(linesOf('a\n\r\nb\r\n')).toEqual(['a\n', '\r\n', 'b\r\n']);
    expect(linesOf('\na')).toEqual(['\n', 'a']);
  });

  it('takes a line of many megabytes', () => {
    expect(linesOf('x'.repeat(40_000_000))).toHaveLength(1);
  });
});

describe('theme icons in foreign text', () => {
  /** As VS Code does, once markdown is text: an escaped icon loses its backslash, any other is drawn. */
  const drawn = (text: string): string =>
    text.replace(/(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/gu, (_, escaped, name) =>
      escaped === undefined ? '' : `$(${String(name)})`,
    );
  const unescaped = (markdown: string): string => markdown.replace(/\\([!-/:-@[-`{-~])/gu, '$1');
  const texts = [
    'a $(printenv)',
    '$(deploy-now) $(sync~spin)',
    '\\$(x)',
    '$(two words)',
    '$$(x))',
    '$(a)$(b)',
    '$()',
  ];

  it.each(texts)('keeps %s where it is escaped markdown', (text) => {
    expect(drawn(unescaped(keepEscapedIcons(escapeMarkdown(text))))).toBe(text);
  });

  it('leaves icons of our own, and text without any', () => {
    expect(keepEscapedIcons('$(error) Edit')).toBe('$(error) Edit');
    expect(keepEscapedIcons(escapeMarkdown('a $(two words)'))).toBe(escapeMarkdown('a $(two words)'));
  });
});
