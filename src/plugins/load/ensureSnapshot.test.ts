import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { readPluginFiles } from '../consent/readPluginFiles.ts';
import { ensureSnapshot } from './ensureSnapshot.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-snapshot-'));
});
afterEach(() => rm(folder, { recursive: true }));

const fs = createNodeFileSystem();

/** The snapshot of a plugin that is nothing but this file. */
async function snapshotOf(text: string) {
  const rootDir = join(folder, 'plugin');
  await mkdir(rootDir, { recursive: true });
  await writeFile(join(rootDir, 'index.ts'), text);
  return ensureSnapshot(
    fs,
    join(folder, 'snapshots'),
    { id: 'p', rootDir },
    await readPluginFiles(fs, { rootDir }),
  );
}

it('keeps four versions and the transpiled code that they share', async () => {
  const { cacheDir } = await snapshotOf('version 0');
  await mkdir(cacheDir);
  for (let version = 1; version < 6; version += 1) {
    const snapshot = await snapshotOf(`version ${version}`);
    expect(snapshot.cacheDir).toBe(cacheDir);
    // The clock of the file system may be too coarse to tell which one is newer.
    await utimes(dirname(snapshot.rootDir), version, version);
  }
  const versions = await readdir(dirname(cacheDir));
  expect(versions).toHaveLength(5);
  expect(versions).toContain('transpiled');
});

it('keeps as much transpiled code as the kept versions may need, the newest', async () => {
  const { cacheDir } = await snapshotOf('version 0');
  await mkdir(cacheDir);
  for (let age = 1; age <= 20; age += 1) {
    await writeFile(join(cacheDir, `${age}.js`), '');
    await utimes(join(cacheDir, `${age}.js`), 1_000 - age, 1_000 - age);
  }
  await snapshotOf('version 1');
  expect((await readdir(cacheDir)).sort((a, b) => parseInt(a) - parseInt(b))).toEqual(
    ['1', '2', '3', '4', '5', '6', '7', '8'].map((age) => `${age}.js`),
  );
});

it('takes a copy that has its stamps for what it was without reading it, and makes it anew where a file has changed or come', async () => {
  const read: string[] = [];
  const rootDir = join(folder, 'plugin');
  await mkdir(join(rootDir, 'lib'), { recursive: true });
  await writeFile(join(rootDir, 'lib', 'index.js'), 'one');
  const files = await readPluginFiles(fs, { rootDir });
  const watched = { ...fs, readFile: (path: string) => (read.push(path), fs.readFile(path)) };
  const again = () => ensureSnapshot(watched, join(folder, 'snapshots'), { id: 'p', rootDir }, files);
  const copy = (await again()).rootDir;
  await again();
  expect(read).toEqual([]);
  await writeFile(join(copy, 'lib', 'index.js'), 'two');
  await again();
  expect(await readFile(join(copy, 'lib', 'index.js'), 'utf8')).toBe('one');
  await writeFile(join(copy, 'lib', 'more.js'), 'three');
  await again();
  expect(await readdir(join(copy, 'lib'))).toEqual(['index.js']);
});
