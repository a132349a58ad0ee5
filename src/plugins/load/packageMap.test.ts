import { describe, expect, it } from 'vitest';
import { resolveExportsMap, resolveImportsMap } from './packageMap.ts';

const node = ['node', 'require'];

describe('exports of a package', () => {
  it.each([
    ['a text', './a.js', '.', './a.js'],
    ['a list, where the first that fits counts', [{ browser: './b.js' }, './a.js'], '.', './a.js'],
    ['conditions in their order', { import: './m.js', require: './c.js', default: './d.js' }, '.', './c.js'],
    ['nested conditions', { node: { require: './c.js' }, default: './d.js' }, '.', './c.js'],
    ['nested conditions that do not fit', { node: { import: './m.js' }, default: './d.js' }, '.', './d.js'],
    ['a subpath', { './x': './lib/x.js' }, './x', './lib/x.js'],
    ['a pattern', { './f/*': './lib/*.js' }, './f/a/b', './lib/a/b.js'],
    ['a pattern with an end', { './f/*.js': './lib/*.cjs' }, './f/a.js', './lib/a.cjs'],
    ['the longest pattern', { './*': './all/*.js', './f/*': './f/*.js' }, './f/a', './f/a.js'],
    ['an exact name before a pattern', { './*': './all/*.js', './a': './one.js' }, './a', './one.js'],
    ['a pattern that is shut', { './*': './*.js', './in/*': null }, './in/a', null],
    ['what is not named', { './x': './x.js' }, './y', undefined],
    ['the root where only subpaths are', { './x': './x.js' }, '.', undefined],
    ['a pattern for nothing', { './f/*': './f/*.js' }, './f/', undefined],
    ['something else', 7, '.', undefined],
  ])('reads %s', (_title, map, subpath, target) => {
    expect(resolveExportsMap(map, subpath, node)).toBe(target);
  });
});

describe('imports of a package', () => {
  it('reads names with #', () => {
    const map = { '#a': './a.js', '#b/*': { require: './b/*.js' }, '#c': 'other' };
    expect(resolveImportsMap(map, '#a', node)).toBe('./a.js');
    expect(resolveImportsMap(map, '#b/x', node)).toBe('./b/x.js');
    expect(resolveImportsMap(map, '#c', node)).toBe('other');
    expect(resolveImportsMap(undefined, '#a', node)).toBeUndefined();
  });
});
