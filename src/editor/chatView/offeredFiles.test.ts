import { expect, it } from 'vitest';
import { compareOffered, globOfFiles } from './offeredFiles.ts';

it('finds files by a part of their path in either case, and takes what means something in globs for any character', () => {
  expect(globOfFiles('')).toBe('**/*');
  expect(globOfFiles('ab/c')).toBe('{**/*[aA][bB]/[cC]*,**/*[aA][bB]/[cC]*/**}');
  expect(globOfFiles('*,{')).toBe('{**/*???*,**/*???*/**}');
});

it('puts files that are named so before those whose folder is', () => {
  const paths = ['src/pier.test.ts', 'pier/a.ts', 'a/b/c/pier.ts', 'my-pier.md', 'b/Pier.md'];
  expect(paths.toSorted((a, b) => compareOffered('pier', a, b))).toEqual([
    'b/Pier.md',
    'a/b/c/pier.ts',
    'src/pier.test.ts',
    'my-pier.md',
    'pier/a.ts',
  ]);
});
