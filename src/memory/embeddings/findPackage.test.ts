import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { createFindPackage, type FoundPackage } from './findPackage.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-find-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function install(
  folder: string,
  manifest: unknown,
  file = 'index.js',
  name = '@some/tool',
): Promise<string> {
  const place = join(root, folder, 'node_modules', name);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(place, file), `export const from = ${JSON.stringify(folder)};`);
  return place;
}

const find = (from: string, untrusted: readonly string[] = []): Promise<FoundPackage | undefined> =>
  createFindPackage({
    fs: createNodeFileSystem(),
    untrusted: untrusted.map((each) => join(root, each)),
  })('@some/tool', join(root, from));

describe('createFindPackage', () => {
  it('finds what lies beside a folder or above it, the nearest first, and runs it when asked', async () => {
    await install('', { type: 'module', main: 'index.js' });
    await mkdir(join(root, 'a/b'), { recursive: true });
    expect(await (await find('a/b'))?.load()).toMatchObject({ from: '' });
    const near = await install('a', { type: 'module', main: 'index.js' });
    const found = await find('a/b');
    expect(found?.folder).toBe(near);
    expect(await found?.load()).toMatchObject({ from: 'a' });
  });

  it.each([
    [
      'exports with conditions',
      { exports: { '.': { types: './x.d.ts', import: './m.mjs', default: './no.js' } } },
    ],
    ['conditions in conditions', { exports: { node: { import: { types: './x', default: './m.mjs' } } } }],
    ['one name', { exports: './m.mjs' }],
  ])('reads its entry: %s', async (_what, manifest) => {
    await install('', manifest, 'm.mjs');
    expect(await (await find(''))?.load()).toMatchObject({ from: '' });
  });

  it('never takes one from inside a workspace, by name or by link, and looks further up', async () => {
    const home = await install('', { type: 'module' });
    await install('repo', { type: 'module' });
    await mkdir(join(root, 'repo/models'));
    expect((await find('repo/models', ['repo']))?.folder).toBe(home);

    await mkdir(join(root, 'linked/node_modules/@some'), { recursive: true });
    await symlink(
      join(root, 'repo/node_modules/@some/tool'),
      join(root, 'linked/node_modules/@some/tool'),
      'dir',
    );
    expect((await find('linked', ['repo']))?.folder).toBe(home);
  });

  it('takes no entry outside of the package', async () => {
    await writeFile(join(root, 'outside.mjs'), 'export const from = "outside";');
    await install('', { exports: '../../../outside.mjs' });
    expect(await find('')).toBeUndefined();
  });

  it('finds nothing where nothing is', async () => {
    expect(await find('')).toBeUndefined();
  });
});
