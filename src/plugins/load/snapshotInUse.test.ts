import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { readPluginFiles } from '../consent/readPluginFiles.ts';
import { ensureSnapshot } from './ensureSnapshot.ts';

const fs = createNodeFileSystem();
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-snapshot-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The copy of a version, as one more window makes or finds it. */
async function use(version: number): Promise<string> {
  const content = new TextEncoder().encode(String(version));
  const path = join(folder, 'source.js');
  await fs.writeFile(path, content);
  const files = await readPluginFiles(fs, { rootDir: folder, looseFiles: ['source.js'] });
  return dirname(
    (await ensureSnapshot(fs, join(folder, 'snapshots'), { id: 'p', rootDir: folder }, files)).rootDir,
  );
}

const isThere = async (snapshot: string): Promise<boolean> =>
  (await readdir(dirname(snapshot))).includes(basename(snapshot));

const daysAgo = async (snapshot: string, days: number): Promise<void> => {
  const at = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
  await utimes(snapshot, at, at);
};

it('removes no copy that another window has used within a day', async () => {
  const first = await use(0);
  for (let version = 1; version < 6; version += 1) await use(version);
  expect(await isThere(first)).toBe(true);
});

it('removes copies beyond four that nobody has used for a day', async () => {
  const old: string[] = [];
  for (let version = 0; version < 6; version += 1) old.push(await use(version));
  for (const [at, snapshot] of old.entries()) await daysAgo(snapshot, 10 - at);
  await use(6);
  expect(await Promise.all(old.map(isThere))).toEqual([false, false, false, true, true, true]);
});

it('counts using a copy again as using it', async () => {
  const first = await use(0);
  await daysAgo(first, 10);
  await use(0);
  for (let version = 1; version < 6; version += 1) await use(version);
  expect(await isThere(first)).toBe(true);
});
