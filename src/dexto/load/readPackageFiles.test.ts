import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  dextoEntry,
  openDextoLoader,
  type DextoLoaderWorld,
} from '../../../test/builders/openDextoLoader.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { ensureSnapshot } from '../../plugins/load/ensureSnapshot.ts';
import { readPackageFiles } from './readPackageFiles.ts';

const fs = createNodeFileSystem();

let world: DextoLoaderWorld;
beforeEach(async () => {
  world = await openDextoLoader();
});
afterEach(() => world.close());

/** A package below the agent's folder whose file exports `text`, and what that depends on. */
async function install(at: string, text: string, dependencies: readonly string[] = []): Promise<void> {
  const name = at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const json = {
    name,
    version: '1.0.0',
    dependencies: Object.fromEntries(dependencies.map((each) => [each, '*'])),
  };
  await world.write({ [`${at}/package.json`]: JSON.stringify(json), [`${at}/index.js`]: text });
}

/** Runs the plugin from a copy of what was read, far from where it is installed. */
async function answerFromCopy(packageDir: string): Promise<unknown> {
  const files = await readPackageFiles(fs, packageDir);
  const { rootDir: codeDir, cacheDir } = await ensureSnapshot(
    fs,
    join(world.root, 'copies'),
    { id: 'p', rootDir: packageDir },
    files,
  );
  const outcome = await world.loader.load({
    ...{ source: join(packageDir, 'index.js'), rootDir: packageDir, codeDir, cacheDir },
    ...{ entry: dextoEntry('p'), agentFile: world.agentFile, redact: (text) => text },
  });
  if (!outcome.ok) return outcome.message;
  const answer = await outcome.plugin.instance.beforeToolCall?.({ toolName: 'x', args: {} }, {} as never);
  return answer?.message;
}

const plugin = (word: string): string =>
  `module.exports = class { beforeToolCall() { return { ok: true, message: ${word} }; } };`;
const at = (...parts: readonly string[]): string => join(world.dir, ...parts);

describe('readPackageFiles', () => {
  it('takes along what lies beside the package, and what that needs in turn', async () => {
    await install('node_modules/guard', plugin("require('words')"), ['words', 'absent']);
    await install('node_modules/words', "module.exports = require('@deep/words').toUpperCase();", [
      '@deep/words',
    ]);
    await install('node_modules/@deep/words', "module.exports = 'deep';");
    await install('node_modules/other', '');
    const { files } = await readPackageFiles(fs, at('node_modules/guard'));
    expect(files.map(({ path }) => path).sort()).toEqual([
      'index.js',
      'node_modules/@deep/words/index.js',
      'node_modules/@deep/words/package.json',
      'node_modules/words/index.js',
      'node_modules/words/package.json',
      'package.json',
    ]);
    expect(await answerFromCopy(at('node_modules/guard'))).toBe('DEEP');
  });

  it('takes along once what several need, in a circle, too', async () => {
    await install('node_modules/guard', plugin("require('a') + require('b')"), ['a', 'b']);
    await install('node_modules/a', "exports.a = 1; module.exports = 'a' + require('c');", ['c']);
    await install('node_modules/b', "module.exports = 'b' + require('c');", ['c']);
    await install('node_modules/c', "module.exports = typeof require('a');", ['a']);
    const { files } = await readPackageFiles(fs, at('node_modules/guard'));
    expect(files.filter(({ path }) => path.endsWith('index.js'))).toHaveLength(4);
    expect(await answerFromCopy(at('node_modules/guard'))).toBe('aobjectbobject');
  });

  it('keeps two versions of one package apart, as they were', async () => {
    await install('node_modules/guard', plugin("require('word') + ' ' + require('user')"), ['word', 'user']);
    await install('node_modules/guard/node_modules/word', "module.exports = 'own';");
    await install('node_modules/user', "module.exports = require('word');", ['word']);
    await install('node_modules/word', "module.exports = 'shared';");
    expect(await answerFromCopy(at('node_modules/guard'))).toBe('own shared');
  });

  it('follows the links by which packages are installed once for all', async () => {
    await install('store/guard/node_modules/guard', plugin("require('word')"), ['word']);
    await install('store/word/node_modules/word', "module.exports = 'linked';", ['guard']);
    await symlink(at('store/word/node_modules/word'), at('store/guard/node_modules/word'));
    expect(await answerFromCopy(at('store/guard/node_modules/guard'))).toBe('linked');
  });

  it('changes its hash with anything that it takes along', async () => {
    await install('node_modules/guard', plugin("require('word')"), ['word']);
    await install('node_modules/word', "module.exports = 'one';");
    const { hash } = await readPackageFiles(fs, at('node_modules/guard'));
    await install('node_modules/word', "module.exports = 'two';");
    expect((await readPackageFiles(fs, at('node_modules/guard'))).hash).not.toBe(hash);
  });

  it('leaves out packages of upstream, and names that are paths', async () => {
    await install('node_modules/guard', plugin("''"), ['@dexto/core', '../secret']);
    await install('node_modules/@dexto/core', '');
    await install('secret', '');
    const { files } = await readPackageFiles(fs, at('node_modules/guard'));
    expect(files.map(({ path }) => path).sort()).toEqual(['index.js', 'package.json']);
  });
});
