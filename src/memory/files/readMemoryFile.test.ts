import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFile,
  mkdir,
  mkdtemp,
  open,
  realpath,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { PincerError } from '../../base/errors.ts';
import type { FileSystem } from '../../host/ports.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import type { FoundFile, ReadResult } from './memoryFiles.ts';
import { readMemoryFile } from './readMemoryFile.ts';

const fs = createNodeFileSystem();
let place: string;
let path: string;
let found: FoundFile;

beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'memory-read-')));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  path = join(place, 'docs', 'a.md');
  await mkdir(dirname(path));
  found = { path, realPath: path, label: 'docs/a.md', source: 'memory', bytes: 0, modified: 0 };
});

async function read(content: string | Uint8Array, use: FileSystem = fs): Promise<ReadResult> {
  await writeFile(path, content);
  return await readMemoryFile(use, found);
}

async function textOf(bytes: readonly number[]): Promise<string | undefined> {
  const result = await read(Uint8Array.from(bytes));
  return result.kind === 'text' ? result.text : undefined;
}

describe('readMemoryFile', () => {
  it('gives the text, the hash of the bytes, and the size and time that were read', async () => {
    const result = await read('# Tëxt\n');
    expect(result).toMatchObject({
      kind: 'text',
      text: '# Tëxt\n',
      hash: createHash('sha256').update('# Tëxt\n').digest('hex'),
      file: { path, label: 'docs/a.md', bytes: 8 },
    });
    expect(result.kind === 'text' && result.file.modified).toBe(
      Math.floor((await fs.lstat(path))?.mtimeMs ?? 0),
    );
  });

  it('drops the mark at the beginning, and reads UTF-16', async () => {
    expect(await textOf([0xef, 0xbb, 0xbf, 0x61])).toBe('a');
    expect(await textOf([0xff, 0xfe, 0x61, 0, 0x0a, 0])).toBe('a\n');
    expect(await textOf([0xfe, 0xff, 0, 0x61, 0, 0x0a])).toBe('a\n');
  });

  it('puts U+FFFD in the place of what is no UTF-8 and keeps every line', async () => {
    expect(await textOf([0x61, 0xe2, 0x0a, 0xff, 0x0a, 0xc3])).toBe('a\uFFFD\n\uFFFD\n\uFFFD');
  });

  it('leaves out what is no text', async () => {
    for (const bytes of [
      [0x61, 0, 0x62],
      [0xff, 0xfe, 0, 0, 0x61, 0],
    ]) {
      expect(await read(Uint8Array.from(bytes))).toMatchObject({
        kind: 'left-out',
        reason: 'it is not text',
      });
    }
  });

  it('never opens what is too large', async () => {
    const file = await open(path, 'w');
    await file.truncate(200_000_000);
    await file.close();
    const unread: FileSystem = { ...fs, readFile: () => Promise.reject(new Error('it was opened')) };
    expect(await readMemoryFile(unread, found)).toMatchObject({
      kind: 'left-out',
      reason: 'it is larger than 10 MB',
      file: { bytes: 200_000_000 },
    });
    expect(await readMemoryFile(fs, found, { maxBytes: 2_500_000 })).toMatchObject({
      reason: 'it is larger than 2.5 MB',
    });
  });

  it('takes a file of exactly the limit', async () => {
    await writeFile(path, 'x'.repeat(100));
    expect(await readMemoryFile(fs, found, { maxBytes: 100 })).toMatchObject({ kind: 'text' });
    expect(await readMemoryFile(fs, found, { maxBytes: 99 })).toMatchObject({ kind: 'left-out' });
  });

  it('tells when the file is gone', async () => {
    expect(await readMemoryFile(fs, found)).toEqual({ kind: 'gone' });
    const vanishing: FileSystem = { ...fs, readFile: async (at) => (await rm(at), await fs.readFile(at)) };
    expect(await read('x', vanishing)).toEqual({ kind: 'gone' });
  });

  it('never blocks on a FIFO, and reads no folder', async () => {
    execFileSync('mkfifo', [path]);
    const left = { kind: 'left-out', reason: 'it is not a regular file' };
    expect(await readMemoryFile(fs, found)).toMatchObject(left);
    const late: FileSystem = {
      ...fs,
      lstat: async (at) => ({ ...(await fs.lstat(at))!, kind: 'file' }),
    };
    expect(await readMemoryFile(late, found)).toMatchObject(left);
    expect(await readMemoryFile(fs, { ...found, path: place, realPath: place })).toMatchObject(left);
  });

  it('reads a file that changes meanwhile once more', async () => {
    let reads = 0;
    const growing: FileSystem = {
      ...fs,
      readFile: async (at) => {
        const bytes = await fs.readFile(at);
        reads += 1;
        if (reads === 1) await appendFile(at, ' and more');
        return bytes;
      },
    };
    expect(await read('one', growing)).toMatchObject({ kind: 'text', text: 'one and more' });
    expect(reads).toBe(2);
  });

  it('notices a change that keeps the size', async () => {
    let reads = 0;
    const changing: FileSystem = {
      ...fs,
      readFile: async (at) => {
        const bytes = await fs.readFile(at);
        reads += 1;
        if (reads === 1) {
          await writeFile(at, 'two');
          await utimes(at, 1, 2);
        }
        return bytes;
      },
    };
    expect(await read('one', changing)).toMatchObject({ text: 'two', file: { modified: 2_000 } });
  });

  it('leaves a file that keeps changing for the next look', async () => {
    let reads = 0;
    const growing: FileSystem = {
      ...fs,
      readFile: async (at) => {
        const bytes = await fs.readFile(at);
        await appendFile(at, String((reads += 1)));
        return bytes;
      },
    };
    expect(await read('one', growing)).toMatchObject({
      kind: 'left-out',
      reason: 'it kept changing while it was read',
    });
    expect(reads).toBe(2);
  });

  it('gives nothing of a file that a link stands for by now', async () => {
    await mkdir(join(place, 'outside'));
    await writeFile(join(place, 'outside', 'a.md'), 'secret');
    await rename(join(place, 'docs'), join(place, 'was-docs'));
    await symlink(join(place, 'outside'), join(place, 'docs'));
    expect(await readMemoryFile(fs, found)).toEqual({ kind: 'gone' });
    await rm(join(place, 'docs'));
    await mkdir(join(place, 'docs'));
    await symlink(join(place, 'outside', 'a.md'), path);
    expect(await readMemoryFile(fs, found)).toMatchObject({
      kind: 'left-out',
      reason: 'it is not a regular file',
    });
  });

  it('gives of a transcript what was said', async () => {
    const message = { role: 'user', content: [{ type: 'text', text: 'Hello' }], timestamp: 1 };
    await writeFile(path, JSON.stringify({ type: 'message', id: 'a', parentId: null, message }));
    expect(await readMemoryFile(fs, { ...found, source: 'sessions' })).toMatchObject({
      text: 'User: Hello\n',
    });
  });

  it('says why it may not read', async () => {
    const forbidden: FileSystem = {
      ...fs,
      readFile: (at) => Promise.reject(new PincerError('io_forbidden', `Could not read ${at}: EACCES`)),
    };
    const result = await read('x', forbidden);
    expect(result.kind === 'left-out' && result.reason).toBe(
      `it can't be read (Could not read ${path}: EACCES)`,
    );
  });
});
