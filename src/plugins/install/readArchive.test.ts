import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { readArchive } from './readArchive.ts';
import { buildArchive, paxName, type RawEntry } from '../../../test/builders/testArchive.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-archive-'));
});
afterEach(() => rm(root, { recursive: true }));

async function read(bytes: Uint8Array): Promise<Record<string, string>> {
  const path = join(root, 'plugin.tgz');
  await writeFile(path, bytes);
  const files = await readArchive(createNodeFileSystem(), path);
  return Object.fromEntries(
    files.map((file) => [file.path, file.kind === 'file' ? Buffer.from(file.content).toString() : 'link']),
  );
}

const readEntries = (...entries: readonly RawEntry[]) => read(buildArchive(entries));
const refused = (message: RegExp) => ({
  code: 'plugin_archive_refused',
  message: expect.stringMatching(message) as unknown,
});

describe('readArchive', () => {
  it('reads what an archiver packs, without the folder around it', async () => {
    const tar = createTar([
      { name: 'package/index.js', data: 'code' },
      { name: 'package/node_modules/x/a.js', data: 'dependency' },
      { name: 'package/empty.txt', data: '' },
    ]);
    expect(await read(gzipSync(tar))).toMatchObject({
      'index.js': 'code',
      'node_modules/x/a.js': 'dependency',
    });
  });

  it('keeps paths where no folder is around all', async () => {
    expect(await readEntries({ name: 'a/x', text: '1' }, { name: './b/x', text: '2' })).toEqual({
      'a/x': '1',
      'b/x': '2',
    });
  });

  it('knows long names of all three kinds', async () => {
    const long = `${'deep/'.repeat(30)}file.js`;
    expect(
      await readEntries(
        { name: 'file.js', prefix: 'package/by-prefix', text: '1' },
        paxName(`package/${long}`),
        { name: 'cut', text: '2' },
        { name: '././@LongLink', type: 'L', text: `package/gnu/${long}\0` },
        { name: 'cut', text: '3' },
        { name: 'package/after', text: '4' },
      ),
    ).toEqual({ 'by-prefix/file.js': '1', [long]: '2', [`gnu/${long}`]: '3', after: '4' });
  });

  it.each([
    ['a way out', '../evil'],
    ['a way out below', 'package/../../evil'],
    ['an absolute path', '/etc/evil'],
    ['a drive', 'C:/evil'],
    ['a backslash', 'package\\..\\..\\evil'],
    ['a device', 'package/nul.txt'],
    ['a name that Windows shortens', 'package/evil. '],
    ['a control character', 'package/a\nb'],
    ['an empty part', 'package//evil'],
  ])('refuses %s', async (_title, name) => {
    await expect(readEntries({ name: 'package/index.js' }, { name, text: 'x' })).rejects.toMatchObject(
      refused(/names a file/u),
    );
  });

  it('judges a long name as it is judged a short one', async () => {
    await expect(readEntries(paxName('package/../../evil'), { name: 'fine' })).rejects.toMatchObject(
      refused(/names a file/u),
    );
  });

  it.each([
    ['2', /symbolic link/u],
    ['1', /hard link/u],
    ['3', /special file/u],
    ['6', /special file/u],
  ])('refuses an entry of type %s', async (type, message) => {
    await expect(readEntries({ name: 'package/x', type, linkTo: '/etc/passwd' })).rejects.toMatchObject(
      refused(message),
    );
  });

  it('refuses two files whose names differ in nothing but case', async () => {
    await expect(readEntries({ name: 'p/Index.js' }, { name: 'p/index.js' })).rejects.toMatchObject(
      refused(/twice/u),
    );
  });

  it('refuses what unpacks to more than 50 MB', async () => {
    await expect(read(gzipSync(Buffer.alloc(60_000_000)))).rejects.toMatchObject(refused(/50 MB/u));
  });

  it('refuses more than 5 000 files', async () => {
    const entries = Array.from({ length: 5_001 }, (_, index) => ({ name: `p/${String(index)}` }));
    await expect(readEntries(...entries)).rejects.toMatchObject(refused(/5000 files/u));
  });

  it.each([
    ['no archive at all', Buffer.from('not an archive')],
    ['an empty archive', gzipSync(Buffer.alloc(1024))],
    ['a zip of something else', gzipSync(Buffer.from('x'.repeat(2_000)))],
    ['a wrong checksum', buildArchive([{ name: 'p/a', damaged: true }])],
    ['a size that is not there', buildArchive([{ name: 'p/a', size: 100_000 }])],
    ['a pax record without end', buildArchive([{ name: 'p', type: 'x', text: '99999 ' }, { name: 'p/a' }])],
  ])('refuses %s', async (_title, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'plugin_archive_refused' });
  });
});
