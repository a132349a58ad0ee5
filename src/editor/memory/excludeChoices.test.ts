import { describe, expect, it } from 'vitest';
import { compileGlob } from '../../base/compileGlob.ts';
import { planExcludeChoices } from './excludeChoices.ts';

describe('planExcludeChoices', () => {
  it('offers the file first, then its folders from the nearest up', () => {
    expect(planExcludeChoices(['docs', 'guides', 'a.md'])).toEqual([
      { kind: 'file', path: 'docs/guides/a.md', glob: 'docs/guides/a.md' },
      { kind: 'folder', path: 'docs/guides', glob: 'docs/guides/**' },
      { kind: 'folder', path: 'docs', glob: 'docs/**' },
    ]);
  });

  it('excludes the file of the root and no other of its name', () => {
    const [file] = planExcludeChoices(['README.md']);
    const excludes = compileGlob(file?.glob ?? '');
    expect(excludes(['README.md'])).toBe(true);
    expect(excludes(['docs', 'README.md'])).toBe(false);
  });

  it.each(['a[1].md', 'what?.md', '{draft}.md', 'a{b,c}.md', 'back\\slash.md', '*.md', '[].md'])(
    'means the file %s literally',
    (name) => {
      const [file] = planExcludeChoices(['docs', name]);
      const excludes = compileGlob(file?.glob ?? '');
      expect(excludes(['docs', name])).toBe(true);
      expect(excludes(['docs', 'other.md'])).toBe(false);
    },
  );

  it('excludes all that a folder holds', () => {
    const folder = planExcludeChoices(['old [2024]', 'deep', 'a.md']).at(-1);
    const excludes = compileGlob(folder?.glob ?? '');
    expect(excludes(['old [2024]', 'deep', 'a.md'])).toBe(true);
    expect(excludes(['old 2', 'deep', 'a.md'])).toBe(false);
  });
});
