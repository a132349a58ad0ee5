import { testCall, testRun } from '../../../test/builders/callContexts.ts';
import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createTestWorkspace,
  textOf,
  type TestWorkspace,
} from '../../../test/samples/tools/createTestWorkspace.ts';
import { createReadTool } from './read.ts';

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createTestWorkspace({ maxResultChars: 1_000 });
});
afterEach(() => workspace.remove());

async function read(path: string, page: { offset?: number; limit?: number } = {}): Promise<string> {
  return textOf((await workspace.call('read', { path, ...page })).result);
}

test('a short file is given as it is, without its byte order mark and with plain line ends', async () => {
  await workspace.put('proj/a.md', '\uFEFFone\r\ntwo\r\n');
  const { effects, result } = await workspace.call('read', { path: 'a.md' });
  expect(textOf(result)).toBe('one\ntwo');
  expect(effects).toEqual([{ kind: 'read', path: join(workspace.root, 'a.md') }]);
});

test('a long file comes in pages whose notes lead through all of it', async () => {
  const lines = Array.from({ length: 300 }, (_, at) => `line ${at + 1}`);
  await workspace.put('proj/long.txt', lines.join('\n'));
  const seen: string[] = [];
  for (let offset = 1; ;) {
    const page = await read('long.txt', { offset });
    expect(page.length).toBeLessThanOrEqual(1_000);
    seen.push(...(page.split('\n\n[')[0] ?? '').split('\n'));
    const next = /Read on with offset (\d+)/u.exec(page)?.[1];
    if (next === undefined) break;
    offset = Number(next);
  }
  expect(seen).toEqual(lines);
});

test('offset and limit choose lines', async () => {
  await workspace.put('proj/a.md', 'one\ntwo\nthree\nfour');
  expect(await read('a.md', { offset: 2, limit: 2 })).toBe(
    'two\nthree\n\n[Lines 2 to 3 of 4. Read on with offset 4.]',
  );
  await expect(read('a.md', { offset: 5 })).rejects.toMatchObject({
    code: 'offset_too_large',
    message: 'a.md has only 4 lines.',
  });
});

test('a line longer than a page is cut, and the note says so and goes on behind it', async () => {
  await workspace.put('proj/min.js', `${'x'.repeat(5_000)}\nend`);
  const page = await read('min.js');
  expect(page.length).toBeLessThanOrEqual(1_000);
  expect(page).toContain(
    '[Line 1 of 2 is too long and was cut. Use grep to search in it. Read on with offset 2.]',
  );
});

test('an empty file says so', async () => {
  await workspace.put('proj/empty.md', '');
  expect(await read('empty.md')).toBe('[empty.md is empty.]');
});

test('binary files and other encodings are refused with what to do', async () => {
  await workspace.put('proj/a.bin', new Uint8Array([1, 0, 2]));
  await workspace.put('proj/latin1.txt', new Uint8Array([0x66, 0xfc, 0x72]));
  await expect(read('a.bin')).rejects.toMatchObject({ code: 'file_binary' });
  await expect(read('latin1.txt')).rejects.toMatchObject({
    code: 'file_not_utf8',
    hint: expect.any(String) as string,
  });
});

test('UTF-16 with its mark is text', async () => {
  await workspace.put('proj/utf16.txt', new Uint8Array([0xff, 0xfe, 0x61, 0]));
  expect(await read('utf16.txt')).toBe('a');
});

test('an image is given as one, by what it is and not by its name', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
  await workspace.put('proj/a.png', png);
  await workspace.put('proj/b.gif', 'not an image');
  const { result } = await workspace.call('read', { path: 'a.png' });
  expect(result.content[1]).toEqual({ type: 'image', data: png.toString('base64'), mimeType: 'image/png' });
  await expect(read('b.gif')).rejects.toMatchObject({ code: 'image_unknown' });
  await workspace.put('proj/big.png', Buffer.concat([png, Buffer.alloc(5_000_000)]));
  await expect(read('big.png')).rejects.toMatchObject({ code: 'io_too_large' });
});

test('a missing file names the nearest ones', async () => {
  await workspace.put('proj/docs/install.md', '');
  await workspace.put('proj/docs/zebra.txt', '');
  await expect(read('docs/instal.md')).rejects.toMatchObject({
    code: 'path_not_found',
    hint: 'Did you mean docs/install.md or docs/zebra.txt?',
  });
});

test('a file that became a link to another one after the check is not read', async () => {
  await workspace.put('proj/a.md', 'mine');
  await workspace.put('proj/.env', 'KEY=1');
  const prepared = await createReadTool(workspace.deps).prepare(testCall(), { path: 'a.md' });
  await rename(join(workspace.root, 'a.md'), join(workspace.root, 'b.md'));
  await symlink('.env', join(workspace.root, 'a.md'));
  await expect(prepared.run(testRun())).rejects.toMatchObject({ code: 'path_moved' });
});
