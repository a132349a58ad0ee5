import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createNodeFileSystem } from './nodeFileSystem.ts';

const fs = createNodeFileSystem();
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-create-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('lets one of many win who make the same file at once, and keeps what that one wrote', async () => {
  const path = join(folder, 'deep', 'lock');
  const made = await Promise.all(Array.from({ length: 30 }, (_, at) => fs.createFile(path, `owner ${at}`)));
  const winner = made.indexOf(true);
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await readFile(path, 'utf8')).toBe(`owner ${winner}`);
  expect(await readdir(join(folder, 'deep'))).toEqual(['lock']);
});

it('leaves a file that is there as it is', async () => {
  const path = join(folder, 'lock');
  await writeFile(path, 'mine');
  expect(await fs.createFile(path, 'yours')).toBe(false);
  expect(await readFile(path, 'utf8')).toBe('mine');
});

it.skipIf(process.platform === 'win32')('makes a private file for the user alone', async () => {
  const path = join(folder, 'lock');
  await fs.createFile(path, 'x', 'private');
  expect((await stat(path)).mode & 0o077).toBe(0);
});
