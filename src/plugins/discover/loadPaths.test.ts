import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { discoverPlugins } from './discoverPlugins.ts';

const fs = createNodeFileSystem();
let homeDir = '';
beforeEach(async () => {
  homeDir = await mkdtemp(join(tmpdir(), 'pincer-load-paths-'));
  await mkdir(join(homeDir, 'mine'));
  await writeFile(join(homeDir, 'mine', 'index.js'), '');
});
afterEach(() => rm(homeDir, { recursive: true }));

const nowhere = { bundledDir: undefined, roots: [], globalDirs: [] };

it.each(['~/mine', '~'])('takes %s for a path in the home folder', async (path) => {
  const { candidates } = await discoverPlugins(fs, { ...nowhere, loadPaths: [path], homeDir });
  expect(candidates).toMatchObject([{ origin: 'config', rootDir: join(homeDir, 'mine') }]);
});

it('takes the home folder of the user where no other is named', async () => {
  const { diagnostics } = await discoverPlugins(fs, { ...nowhere, loadPaths: ['~/is not there'] });
  expect(diagnostics.map(({ message }) => message)).toEqual([
    `plugin path not found: ${join(homedir(), 'is not there')}`,
  ]);
});

it.each(['mine', './mine', '../mine', '~mine', ''])('refuses %j, which is not absolute', async (path) => {
  const found = await discoverPlugins(fs, { ...nowhere, loadPaths: [path], homeDir });
  expect(found.candidates).toEqual([]);
  expect(found.diagnostics).toMatchObject([{ level: 'error', code: 'plugin_path_not_absolute' }]);
});
