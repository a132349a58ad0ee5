import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlob } from './compileGlob.ts';

function matches(pattern: string, path: string): boolean {
  return compileGlob(pattern)(path.split('/'));
}

test.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'src/deep/a.ts', true],
  ['*.ts', 'a.tsx', false],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/deep/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/b/c/a.ts', true],
  ['**/test/**', 'a/test/b/c', true],
  ['docs/**', 'docs/a.md', true],
  ['docs/**', 'docs2/a.md', false],
  ['**', '.hidden/x', true],
  ['./a.md', 'a.md', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['[ab].md', 'b.md', true],
  ['[!ab].md', 'b.md', false],
  ['[a-c]x', 'bx', true],
  ['[x', '[x', true],
  ['*.{ts,tsx}', 'x/a.tsx', true],
  ['{src,test}/**/*.{ts,js}', 'test/a/b.js', true],
  ['{a,{b,c}d}', 'cd', true],
  ['a{b', 'a{b', true],
  ['\\*.md', '*.md', true],
  ['\\*.md', 'a.md', false],
  ['日*.md', '日本.md', true],
  ['?.md', '👩.md', true],
  ['!a', 'b', false],
])('%s on %s: %s', (pattern, path, expected) => {
  expect(matches(pattern, path)).toBe(expected);
});

test.each(['', ' ', '/etc/*', '../*', 'a/../b', 'C:\\x', 'x'.repeat(1_001), '{a,b}'.repeat(9)])(
  'refuses %j',
  (pattern) => {
    expect(() => compileGlob(pattern)).toThrow(expect.objectContaining({ code: 'glob_invalid' }));
  },
);

describe('whatever the pattern', () => {
  test('it agrees with a regular expression on stars', () => {
    const part = fc.stringMatching(/^[ab*?]{1,7}$/u).filter((text) => text !== '**');
    const name = fc.stringMatching(/^[ab]{1,7}$/u);
    fc.assert(
      fc.property(part, name, (pattern, text) => {
        const expression = pattern.replace(/\*+/gu, '.*').replaceAll('?', '.');
        return matches(pattern, text) === new RegExp(`^${expression}$`, 'u').test(text);
      }),
      { numRuns: 2_000 },
    );
  });

  test('it ends quickly', () => {
    const hostile = `${'*a'.repeat(400)}b`;
    expect(matches(hostile, 'a'.repeat(255))).toBe(false);
    expect(matches(`${'**/a/'.repeat(150)}b`, 'a/'.repeat(500) + 'c')).toBe(false);
    fc.assert(
      fc.property(fc.string(), fc.string(), (pattern, text) => {
        try {
          matches(pattern, text);
        } catch (error) {
          expect(error).toMatchObject({ code: 'glob_invalid' });
        }
      }),
    );
  });
});
