import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTranspileCache } from './createTranspileCache.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-cache-'));
});
afterEach(() => rm(folder, { recursive: true }));

const input = { path: '/one/index.ts', source: 'export const a = 1;', async: false };

function storing(source: string, path = input.path) {
  const cache = createTranspileCache(join(folder, 'made'), 'maker 1');
  cache.write({ ...input, path, source }, 'the code');
  return cache;
}

it('finds the code of the same source under another path', () => {
  expect(storing(input.source).read({ ...input, path: '/two/other.ts' })).toBe('the code');
});

it.each([
  ['another source', { source: 'export const a = 2;' }],
  ['another ending', { path: '/one/index.mts' }],
  ['code that may wait', { async: true }],
])('finds nothing for %s', (_what, other) => {
  expect(storing(input.source).read({ ...input, ...other })).toBeUndefined();
});

it('finds nothing that another transpiler has made', () => {
  storing(input.source);
  expect(createTranspileCache(join(folder, 'made'), 'maker 2').read(input)).toBeUndefined();
});

it('keeps code that holds its own path to that path', () => {
  const source = 'export const a = import . meta.url;';
  const cache = storing(source);
  expect(cache.read({ ...input, source })).toBe('the code');
  expect(cache.read({ ...input, source, path: '/two/index.ts' })).toBeUndefined();
});

it('takes no file that is torn or was written by somebody else', async () => {
  const cache = storing(input.source);
  const [name = ''] = await readdir(join(folder, 'made'));
  await truncate(join(folder, 'made', name), 20);
  expect(cache.read(input)).toBeUndefined();
  await writeFile(join(folder, 'made', name), 'exports.a = evil();');
  expect(cache.read(input)).toBeUndefined();
});

it('does without a folder that it cannot write', async () => {
  await writeFile(join(folder, 'made'), 'a file in the way');
  const cache = createTranspileCache(join(folder, 'made'), 'maker 1');
  expect(cache.write(input, 'the code')).toBe(false);
  expect(cache.read(input)).toBeUndefined();
});
