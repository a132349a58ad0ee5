import { link, mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { createTextCache, type TextCache } from './createTextCache.ts';

let root: string;
let reads: string[];
let texts: TextCache;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-texts-')));
  await mkdir(join(root, 'w'));
  await writeFile(join(root, 'key'), 'KEY');
  reads = [];
  const fs = createNodeFileSystem();
  texts = createTextCache({
    platform: process.platform,
    fs: {
      ...fs,
      readExact: (path, max) => {
        reads.push(path.path);
        return fs.readExact(path, max);
      },
    },
  });
});
afterEach(() => rm(root, { recursive: true }));

const read = (name: string) => texts.read(join(root, 'w'), join(root, 'w', name));

it('reads a file once, and again when its time or size has changed', async () => {
  const file = join(root, 'w/a.md');
  await writeFile(file, 'one');
  expect(await read('a.md')).toMatchObject({ status: 'text', text: 'one' });
  expect(await read('a.md')).toMatchObject({ text: 'one' });
  expect(reads).toHaveLength(1);
  await writeFile(file, 'two');
  await utimes(file, new Date(), new Date(Date.now() + 5_000));
  expect(await read('a.md')).toMatchObject({ text: 'two' });
  await rm(file);
  expect(await read('a.md')).toEqual({ status: 'missing' });
});

it('reads nothing that lies elsewhere: no link out of the folder, no second name, no folder', async () => {
  await symlink(join(root, 'key'), join(root, 'w/link'));
  await symlink(root, join(root, 'w/up'));
  await link(join(root, 'key'), join(root, 'w/hard'));
  await mkdir(join(root, 'w/folder'));
  expect(await read('link')).toEqual({
    status: 'refused',
    why: 'it is a link to a place outside of its folder',
  });
  expect(await read('up/key')).toMatchObject({ status: 'refused' });
  expect(await read('hard')).toMatchObject({ status: 'refused' });
  expect(await read('folder')).toEqual({ status: 'missing' });
  expect(await read('folder/AGENTS.md')).toEqual({ status: 'missing' });
});

it('never gives another file in the place of one it has read, also where time and size are the same', async () => {
  const file = join(root, 'w/a.md');
  const time = new Date(1_700_000_000_000);
  await writeFile(file, 'one');
  await utimes(file, time, time);
  await utimes(join(root, 'key'), time, time);
  await read('a.md');
  await rm(file);
  await symlink(join(root, 'key'), file);
  expect(JSON.stringify(await read('a.md'))).not.toContain('KEY');
});

it('refuses what is too large', async () => {
  await writeFile(join(root, 'w/big.md'), 'x'.repeat(1_000_001));
  expect(await read('big.md')).toMatchObject({
    status: 'refused',
    why: expect.stringContaining('1000001') as string,
  });
});
