import { describe, expect, it } from 'vitest';
import { parseIgnoreFile } from './parseIgnoreFile.ts';

function says(text: string, path: string, isCaseSensitive = true): boolean | undefined {
  const names = path.replace(/\/$/u, '').split('/');
  return parseIgnoreFile(text, isCaseSensitive).decide(names, path.endsWith('/'));
}

describe('parseIgnoreFile', () => {
  it.each([
    // pattern, ignored paths, others
    ['notes.md', ['notes.md', 'a/b/notes.md'], ['xnotes.md', 'notes.md.txt']],
    ['/notes.md', ['notes.md'], ['a/notes.md']],
    ['docs/notes.md', ['docs/notes.md'], ['a/docs/notes.md']],
    ['build/', ['build/', 'a/build/'], ['build']],
    ['*.log.md', ['x.log.md', 'a/.log.md'], ['x.md']],
    ['a*b?.md', ['abc.md', 'aXXbc.md'], ['ab.md', 'abcd.md']],
    ['**/x', ['x', 'a/x', 'a/b/x'], ['ax']],
    ['a/**', ['a/b', 'a/b/c'], ['a', 'b/a/c']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/xb', 'x/a/b']],
    ['a/*', ['a/b'], ['a/b/c']],
    ['[ab]c', ['ac', 'bc'], ['cc', '[ab]c']],
    ['[!ab]c', ['cc'], ['ac', 'c']],
    ['[]x]', [']', 'x'], ['[']],
    ['[[:digit:]]x', ['1x'], ['ax', ':x']],
    ['[\\]a]', [']', 'a'], ['\\']],
    ['\\*.md', ['*.md'], ['a.md']],
    ['\\#x', ['#x'], ['x']],
    ['\\!x', ['!x'], ['x']],
    ['x\\ ', ['x '], ['x']],
    ['x  ', ['x'], ['x  ']],
    ['x\r', ['x'], ['x\r']],
    ['{a,b}', ['{a,b}'], ['a']],
    ['# note', [], ['# note', ' note']],
    ['[a', [], ['a', '[a']],
    ['[[:nope:]]', [], ['n', ':']],
    ['/', [], ['x', 'x/']],
  ])('reads %j as git does', (pattern, ignored, others) => {
    expect(ignored.filter((path) => says(pattern, path) !== true)).toEqual([]);
    expect(others.filter((path) => says(pattern, path) !== undefined)).toEqual([]);
  });

  it('lets the last line that matches decide', () => {
    expect(says('*.md\n!keep.md', 'keep.md')).toBe(false);
    expect(says('!keep.md\n*.md', 'keep.md')).toBe(true);
  });

  it('drops a byte order mark', () => {
    expect(says('\uFEFFnotes.md', 'notes.md')).toBe(true);
  });

  it('takes case as the platform does', () => {
    expect(says('Notes.MD', 'notes.md', false)).toBe(true);
    expect(says('[A-Z].md', 'x.md', false)).toBe(true);
    expect(says('Notes.MD', 'notes.md')).toBeUndefined();
  });

  it('leaves out lines that are too long, and those after the 5,000th', () => {
    expect(says('x'.repeat(1_001), 'x'.repeat(1_001))).toBeUndefined();
    expect(says(`${'a\n'.repeat(4_999)}x`, 'x')).toBe(true);
    expect(says(`${'a\n'.repeat(5_000)}x`, 'x')).toBeUndefined();
  });

  it.each([
    `${'*a'.repeat(100)}b`,
    `${'**/'.repeat(100)}b`,
    `${'*/'.repeat(100)}*b`,
    `${'[a-z]*'.repeat(100)}1`,
    `${'?*'.repeat(200)}b`,
  ])('answers a hostile pattern within the steps that it may take: %.20s…', (pattern) => {
    const names = Array.from({ length: 40 }, () => 'a'.repeat(250));
    const rules = parseIgnoreFile(Array.from({ length: 20 }, () => pattern).join('\n'), true);
    // A regular expression of the first needs longer than the universe has.
    expect(rules.decide(names, false)).toBeUndefined();
    expect(rules.isExhausted).toBe(false);
  });

  it('gives up on a file that costs too much over all, and says so', () => {
    const rules = parseIgnoreFile(`x\n${`${'*a'.repeat(400)}b\n`.repeat(4_000)}`, true);
    const name = 'a'.repeat(250);
    expect(rules.decide(['x'], false)).toBe(true);
    expect(rules.isExhausted).toBe(false);
    for (let at = 0; at < 1_000 && !rules.isExhausted; at += 1) rules.decide([name], false);
    expect(rules.isExhausted).toBe(true);
    expect(rules.decide(['x'], false)).toBeUndefined();
  });
});
