import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import { createModuleLoader, type ModuleLoader } from './createModuleLoader.ts';

let folder: string;
let loader: ModuleLoader;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-loader-')));
  loader = createModuleLoader({ log: createInMemoryLog(), stateDir: join(folder, 'state') });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function load(name: string, files: Readonly<Record<string, string>>): Promise<object> {
  const rootDir = join(folder, name);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(rootDir, file)), { recursive: true });
    await writeFile(join(rootDir, file), text);
  }
  const entry = join(rootDir, Object.keys(files)[0] ?? '');
  return (await loader.load({ id: name, rootDir, entry, cacheDir: join(folder, 'cache') })) as object;
}

/** `gc` of this process, as `--expose-gc` gives it. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

describe('createModuleLoader', () => {
  it.each([
    [
      'index.cjs',
      "const own = require('./own.cjs'); const { data } = require('./data.json'); module.exports = { own, data };",
    ],
    ['index.ts', "import own from './own.cjs'; import { data } from './data.json'; export { own, data };"],
    ['index.mjs', "import own from './own.cjs'; export const data = await Promise.resolve(own);"],
  ])('keeps nothing of what it has loaded: %s', async (entry, code) => {
    const others = { 'own.cjs': "module.exports = { big: 'x'.repeat(9) };", 'data.json': '{ "data": [1] }' };
    const loaded: WeakRef<object>[] = [];
    for (let version = 0; version < 20; version += 1) {
      const files = { [entry]: `${code}\n// ${version}`, ...others };
      loaded.push(new WeakRef(await load(`kept-${entry}-${version}`, files)));
    }
    const gc = collector();
    // The last one may still be on the stack.
    for (
      let round = 0;
      round < 10 && loaded.slice(0, -1).some((each) => each.deref() !== undefined);
      round += 1
    ) {
      await new Promise((resolve) => setImmediate(resolve));
      gc();
    }
    expect(loaded.slice(0, -1).filter((each) => each.deref() !== undefined)).toEqual([]);
    const { cache } = createRequire(import.meta.url);
    expect(Object.keys(cache).filter((file) => file.startsWith(folder))).toEqual([]);
  });

  it('loads the same files anew each time', async () => {
    const files = { 'index.cjs': 'module.exports = {};' };
    expect(await load('anew', files)).not.toBe(await load('anew', files));
  });

  it('gives the functions of the SDK to the plugin that loads them', async () => {
    const log = createInMemoryLog();
    loader = createModuleLoader({ log, stateDir: join(folder, 'state') });
    const code =
      "const sdk = require('openclaw/plugin-sdk'); sdk.createSubsystemLogger('net').child('dns').warn('slow', { ms: 3 });" +
      'module.exports = { dir: sdk.resolveStateDir() };';
    const { dir } = (await load('speaker', { 'index.cjs': code })) as { readonly dir: string };
    expect(dir).toBe(join(folder, 'state', 'plugin-state', 'p-speaker'));
    expect(JSON.stringify(log)).toContain('[speaker] net/dns: slow {\\"ms\\":3}');
  });
});
