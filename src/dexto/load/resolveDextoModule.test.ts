import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  dextoEntry,
  openDextoLoader,
  type DextoLoaderWorld,
} from '../../../test/builders/openDextoLoader.ts';
import { resolveDextoModule } from './resolveDextoModule.ts';

let world: DextoLoaderWorld;
beforeEach(async () => {
  world = await openDextoLoader();
});
afterEach(() => world.close());

async function resolve(module: string): Promise<unknown> {
  const found = await resolveDextoModule(dextoEntry('guard', { module }), {
    path: world.agentFile,
    dir: world.dir,
  });
  if (!found.ok) return `${found.diagnostic.code}: ${found.message}`;
  const { ok: _ok, ...rest } = found;
  return rest;
}

describe('resolveDextoModule', () => {
  const at = (...parts: readonly string[]): string => join(world.dir, ...parts);

  it('finds a file by its absolute path, links resolved', async () => {
    await world.write({ 'plugins/guard.ts': '' });
    await symlink(at('plugins/guard.ts'), at('link.ts'));
    expect(await resolve(at('link.ts'))).toEqual({ source: at('plugins/guard.ts') });
  });

  it('takes the package along that the file is part of, where that lies in the agent’s folder', async () => {
    await world.write({
      'plugins/guard/package.json': '{ "version": "1.2.3" }',
      'plugins/guard/src/index.ts': '',
    });
    expect(await resolve(at('plugins/guard/src/index.ts'))).toEqual({
      source: at('plugins/guard/src/index.ts'),
      packageDir: at('plugins/guard'),
      version: '1.2.3',
    });
  });

  it('does not take the agent’s own package for the plugin’s, nor one that lies outside', async () => {
    await world.write({
      'package.json': '{}',
      'plugins/guard.ts': '',
      '../package.json': '{}',
      '../out/a.ts': '',
    });
    expect(await resolve(at('plugins/guard.ts'))).toEqual({ source: at('plugins/guard.ts') });
    expect(await resolve(join(world.root, 'out/a.ts'))).toEqual({ source: join(world.root, 'out/a.ts') });
  });

  it('finds a package that is installed in the agent’s folder or above it, by its exports', async () => {
    await world.write({
      '../node_modules/@mine/guard/package.json':
        '{ "name": "@mine/guard", "version": "3.0.0", "exports": { ".": "./lib/a.js", "./more": "./lib/b.js" } }',
      '../node_modules/@mine/guard/lib/a.js': '',
      '../node_modules/@mine/guard/lib/b.js': '',
      '../node_modules/@mine/guard/lib/package.json': '{ "type": "module" }',
    });
    const packageDir = join(world.root, 'node_modules/@mine/guard');
    expect(await resolve('@mine/guard')).toEqual({
      source: join(packageDir, 'lib/a.js'),
      packageDir,
      version: '3.0.0',
    });
    expect(await resolve('@mine/guard/more')).toMatchObject({
      source: join(packageDir, 'lib/b.js'),
      packageDir,
    });
    expect(await resolve('@mine/guard/secret')).toMatch(
      /^plugin_load_failed: .*is not defined by "exports"/u,
    );
  });

  it('finds a package that is a link to where it is developed', async () => {
    await world.write({
      '../dev/guard/package.json': '{ "name": "guard", "main": "index.js" }',
      '../dev/guard/index.js': '',
      'node_modules/.keep': '',
    });
    await symlink(join(world.root, 'dev/guard'), at('node_modules/guard'));
    expect(await resolve('guard')).toEqual({
      source: join(world.root, 'dev/guard/index.js'),
      packageDir: join(world.root, 'dev/guard'),
    });
  });

  it('says what is not there: a file, or a package with what to do', async () => {
    expect(await resolve('/nowhere/guard.ts')).toBe(
      "plugin_load_failed: plugin 'guard': there is no file /nowhere/guard.ts",
    );
    expect(await resolve('@mine/none/sub')).toBe(
      `plugin_dependency_not_installed: plugin 'guard': package @mine/none is not installed in ${world.dir} or above`,
    );
  });

  it.each(['./guard.ts', '../guard.ts', 'plugins/guard.ts', ''])(
    'refuses the relative path %j',
    async (module) => {
      await world.write({ 'guard.ts': '', 'plugins/guard.ts': '' });
      expect(await resolve(module)).toMatch(/^plugin_configuration_invalid: .* must be an absolute path/u);
    },
  );
});
