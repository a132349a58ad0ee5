import { describe, expect, it } from 'vitest';
import { fileKeyOfWord, fileKeysOf } from './fileKeys.ts';

const mark = '\u0001';

describe('fileKeysOf', () => {
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
