import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createInMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import { readPluginFiles } from '../consent/readPluginFiles.ts';
import { createModuleLoader } from '../load/createModuleLoader.ts';
import { loadHook, type LoadableHook } from './loadHook.ts';

const fs = createNodeFileSystem();
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-load-hook-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A hook whose code copies the mark of its own loading. */
async function hook(): Promise<LoadableHook> {
  const folder = join(root, 'hook');
  await mkdir(folder, { recursive: true });
  const code = `require('node:fs').cpSync(${JSON.stringify(join(root, 'loading'))}, ${JSON.stringify(join(root, 'kept'))}, { recursive: true });
module.exports = () => {};`;
  await writeFile(join(folder, 'handler.cjs'), code);
  return {
    name: 'looping',
    candidate: { folder, rootDir: folder },
    manifest: { exportName: 'default' },
    handler: join(folder, 'handler.cjs'),
    files: await readPluginFiles(fs, { rootDir: folder }),
    events: ['command:new'],
  } as unknown as LoadableHook;
}

it('skips a hook that did not come back from loading twice', async () => {
  const log = createInMemoryLog();
  const parts = {
    fs,
    clock: systemClock,
    stateDir: root,
    loader: createModuleLoader({ log, stateDir: root }),
  };
  const plan = await hook();
  const first = await loadHook(parts, plan);
  expect(first.ok ? '' : first.message).toBe('');
  expect(await readdir(join(root, 'loading'))).toEqual([]);
  const [name = ''] = await readdir(join(root, 'kept'));
  const mark = (await readFile(join(root, 'kept', name), 'utf8')).replace(/"at":\d+/u, '"at":1');
  await writeFile(join(root, 'loading', name), mark);
  await writeFile(join(root, 'loading', name.replace(/[^.]+\.json$/u, 'other.json')), mark);
  expect(await loadHook(parts, plan)).toMatchObject({
    ok: false,
    diagnostic: {
      code: 'hook_hung',
      message: 'hook "looping": it did not finish loading the last two times and is skipped',
    },
  });
});
