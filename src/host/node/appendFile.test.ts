import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPrivateFiles } from '../createPrivateFiles.ts';
import { createNodeFileSystem } from './nodeFileSystem.ts';

const fs = createNodeFileSystem();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-append-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe.each(['append', 'appendDurably'] as const)('%s', (method) => {
  it('makes the file and its folders, then adds to its end', async () => {
    const path = join(folder, 'a/b.txt');
    await fs[method](path, 'one ä\n');
    await fs[method](path, 'two\n');
    expect(await readFile(path, 'utf8')).toBe('one ä\ntwo\n');
  });

  it.skipIf(process.platform === 'win32')(
    'keeps a private file for its owner, an older one too',
    async () => {
      const path = join(folder, 'own.txt');
      await writeFile(path, 'one');
      await chmod(path, 0o644);
      await createPrivateFiles(fs, [folder])[method](path, 'two');
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    },
  );

  it('says what it could not do', async () => {
    await expect(fs[method](folder, 'x')).rejects.toMatchObject({ code: 'io_not_a_file' });
  });
});

describe('readRange', () => {
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

  it('reads a part, less where the file ends, and nothing behind its end', async () => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'abcdef');
    expect(text(await fs.readRange(path, 1, 3))).toBe('bcd');
    expect(text(await fs.readRange(path, 4, 9))).toBe('ef');
    expect((await fs.readRange(path, 6, 9)).length).toBe(0);
  });

  it('refuses what is no file', async () => {
    await expect(fs.readRange(folder, 0, 1)).rejects.toMatchObject({ code: 'io_not_a_file' });
    await expect(fs.readRange(join(folder, 'none'), 0, 1)).rejects.toMatchObject({ code: 'io_not_found' });
  });
});
