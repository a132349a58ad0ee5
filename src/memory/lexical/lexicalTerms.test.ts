import { describe, expect, it } from 'vitest';
import { markdownExtensions } from '../../base/markdownNames.ts';
import { fileKeyOfWord, fileKeysOf, isIdLike } from './lexicalTerms.ts';

const mark = '\u0001';

describe('fileKeysOf', () => {
  it('leaves out the extension of every kind of markdown', () => {
    for (const each of markdownExtensions) expect(fileKeysOf(`a.${each}`)).toEqual(fileKeysOf('a'));
  });

  it('gives the name and each longer end of the path, without the extension', () => {
    expect(fileKeysOf('Docs/a/Setup.md')).toEqual(
      ['docs/a/setup', 'a/setup', 'setup'].map((key) => mark + key),
    );
  });
});

describe('fileKeyOfWord', () => {
  it.each([
    ['setup.md', 'setup'],
    ['./docs/Setup.MD', 'docs/setup'],
    ['docs\\setup.md', 'docs/setup'],
    ['docs/setup', 'docs/setup'],
    ['setup.md#L3-L9', 'setup'],
    ['release-notes', 'release-notes'],
    ['2026-02-15', '2026-02-15'],
    ['README', 'readme'],
  ])('takes %s for a name', (word, key) => {
    expect(fileKeyOfWord(word)).toBe(mark + key);
  });

  it.each(['setup', 'Setup', 'readme', '2026', '2.5', 'API', '.md', '-', '/', '#1', ''])(
    'takes %j for no name',
    (word) => {
      expect(fileKeyOfWord(word)).toBeUndefined();
    },
  );
});

describe('isIdLike', () => {
  it.each(
    `PROJ-1234 proj-1234 CVE-2026-25593 GHSA-99qw-6mr3-36qr RFC-2119 2026-02-15 #140736 #7 v2.3.1 v24.1 2.3.1 1.0.0-beta.1 a.b.c
     package.json console.log src/a/b.md ./a/b.ts src/memory/terms before_tool_call __init_subclass__ MAX_VALUE fffe5a2b13bf9bff
     TS2322 E11000`.split(/\s+/),
  )('takes %s for an id', (token) => {
    expect(isIdLike(token)).toBe(true);
  });

  it.each(
    `setup README JavaScript iPhone well-known state-of-the-art set-up e-mail mach-5 20-year mid-1990s 3-dimensional GPT-4 covid-19
     and/or client/server I/O TCP/IP 2.5 1990 140736 e.g i.e U.S U.S.A p.m facade x C3 utf8 don't _ __ - . / # 世界 世.界.人`.split(
      /\s+/,
    ),
  )('takes %s for an ordinary word', (token) => {
    expect(isIdLike(token)).toBe(false);
  });

  it('decides at once, whatever it is given', () => {
    for (const part of ['1-', 'a-', 'a.', 'a/', 'a_', '1.', 'A1', '-', '_', '0a'])
      for (const end of ['', '!', 'x', '1']) expect(typeof isIdLike(part.repeat(31) + end)).toBe('boolean');
  });
});
