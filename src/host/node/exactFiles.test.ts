import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExactPath } from '../ports.ts';
import { createNodeFileSystem } from './nodeFileSystem.ts';

const fs = createNodeFileSystem();
let top: string;
let root: string;

beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'pincer-exact-')));
  root = join(top, 'proj');
  await mkdir(join(root, 'src'), { recursive: true });
  await mkdir(join(top, 'out'));
  await writeFile(join(root, 'src/a.md'), 'inside');
  await writeFile(join(top, 'out/a.md'), 'outside');
});
afterEach(() => rm(top, { recursive: true, force: true }));

const at = (path: string): ExactPath => ({ root, path: join(root, path) });
const text = async (path: string): Promise<string> =>
  new TextDecoder().decode(await fs.readExact(at(path), 100));

describe('reading exactly one file', () => {
  it('gives the bytes of a file that lies there, also where the root itself is a link', async () => {
    expect(await text('src/a.md')).toBe('inside');
    await symlink(root, join(top, 'door'));
    const through = { root: join(top, 'door'), path: join(top, 'door/src/a.md') };
    expect(new TextDecoder().decode(await fs.readExact(through))).toBe('inside');
  });

  it('refuses a link in the place of the file or of a folder', async () => {
    await symlink(join(top, 'out/a.md'), join(root, 'src/link.md'));
    await symlink(join(top, 'out'), join(root, 'door'));
    await expect(text('src/link.md')).rejects.toMatchObject({ code: 'io_moved' });
    await expect(text('door/a.md')).rejects.toMatchObject({ code: 'io_moved' });
    await expect(text('../out/a.md')).rejects.toMatchObject({ code: 'io_moved' });
  });

  it('refuses a second hard link, a folder, a file too large and one that is not there', async () => {
    await link(join(top, 'out/a.md'), join(root, 'hard.md'));
    await writeFile(join(root, 'big.md'), 'x'.repeat(101));
    await expect(text('hard.md')).rejects.toMatchObject({ code: 'io_hard_link' });
    await expect(text('src')).rejects.toMatchObject({ code: 'io_not_a_file' });
    await expect(text('big.md')).rejects.toMatchObject({ code: 'io_too_large' });
    await expect(text('none.md')).rejects.toMatchObject({ code: 'io_not_found' });
  });
});

describe('writing exactly one file', () => {
  it('changes nothing before commit, leaves nothing behind, makes folders', async () => {
    const staged = await fs.stageExact(at('new/deep/b.md'), 'text');
    await expect(readFile(join(root, 'new/deep/b.md'))).rejects.toThrow('ENOENT');
    await staged.commit();
    await staged.discard();
    expect(await readdir(join(root, 'new/deep'))).toEqual(['b.md']);
    expect(await text('new/deep/b.md')).toBe('text');
    await (await fs.stageExact(at('src/a.md'), 'other')).discard();
    expect(await readdir(join(root, 'src'))).toEqual(['a.md']);
    expect(await text('src/a.md')).toBe('inside');
  });

  it('refuses a link in the place of a folder or of the file', async () => {
    await symlink(join(top, 'out'), join(root, 'door'));
    await symlink(join(top, 'out/a.md'), join(root, 'src/link.md'));
    await expect(fs.stageExact(at('door/a.md'), 'x')).rejects.toMatchObject({ code: 'io_moved' });
    await expect(fs.stageExact(at('src/link.md'), 'x')).rejects.toMatchObject({ code: 'io_moved' });
    await expect(fs.removeExact(at('door/a.md'))).rejects.toMatchObject({ code: 'io_moved' });
    expect(await readFile(join(top, 'out/a.md'), 'utf8')).toBe('outside');
  });

  it.runIf(process.platform === 'linux')(
    'reaches the folder it has checked, though a link took its name in between',
    async () => {
      const staged = await fs.stageExact(at('src/a.md'), 'new');
      await rename(join(root, 'src'), join(root, 'moved'));
      await symlink(join(top, 'out'), join(root, 'src'));
      await staged.commit();
      expect(await readFile(join(top, 'out/a.md'), 'utf8')).toBe('outside');
      expect(await readFile(join(root, 'moved/a.md'), 'utf8')).toBe('new');
    },
  );
});
