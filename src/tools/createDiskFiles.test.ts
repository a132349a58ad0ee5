import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testCall } from '../../test/builders/callContexts.ts';
import { PincerError } from '../base/errors.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import type { FileSystem } from '../host/ports.ts';
import { createDiskFiles } from './createDiskFiles.ts';
import { encodeText } from './textEncoding.ts';
import type { AppliedChange, TextChange } from './workspaceFiles.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-disk-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const at = (name: string): string => join(root, name);

async function put(name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(at(name)), { recursive: true });
  await writeFile(at(name), content);
}

/** Every file, temporary ones too, with its text; and every empty folder. */
async function files(): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const folders = entries
    .filter((each) => each.isDirectory())
    .map((each) => join(each.parentPath, each.name));
  const empty = folders.filter((each) => entries.every(({ parentPath }) => parentPath !== each));
  const paths = entries
    .filter((each) => !each.isDirectory())
    .map((each) => join(each.parentPath, each.name))
    .sort();
  const texts = await Promise.all(
    paths.map(async (path) => [path.slice(root.length + 1), await readFile(path, 'utf8')] as const),
  );
  const folderTexts = empty.map((path) => [path.slice(root.length + 1), 'an empty folder'] as const);
  return Object.fromEntries<string>([...texts, ...folderTexts]);
}

const change = (name: string, before: string | null, after: string | null, like?: string): TextChange => ({
  root,
  path: at(name),
  before,
  after,
  ...(like === undefined ? {} : { like: at(like) }),
});

const apply = (
  changes: readonly TextChange[],
  fs: FileSystem = createNodeFileSystem(),
): Promise<readonly AppliedChange[]> => createDiskFiles(fs).apply(changes, testCall());

/** Changes, makes, deletes and moves files. */
const everyKind = (): readonly TextChange[] => [
  change('gone.md', 'gone\n', null),
  change('a.md', 'a\n', 'A\n'),
  change('deep/new.md', null, 'new\n'),
  change('b.md', 'b\n', 'B\n'),
  change('from.md', 'moved\n', null),
  change('to.md', null, 'moved\n', 'from.md'),
];
/** Four new texts, and four old ones for the way back. */
const stagedOfEveryKind = 8;
const beforeAll = { 'a.md': 'a\n', 'b.md': 'b\n', 'from.md': 'moved\n', 'gone.md': 'gone\n' };

async function putAll(): Promise<void> {
  for (const [name, text] of Object.entries(beforeAll)) await put(name, text);
}

describe('all changes are made', () => {
  test('with missing folders, and each is told in the order it was asked for', async () => {
    await putAll();
    const applied = await apply(everyKind());
    expect(await files()).toEqual({
      'a.md': 'A\n',
      'b.md': 'B\n',
      'deep/new.md': 'new\n',
      'to.md': 'moved\n',
    });
    expect(applied.map(({ text }) => text)).toEqual([null, 'A\n', 'new\n', 'B\n', null, 'moved\n']);
  });

  test('and permission bits stay, those of a moved file too', async () => {
    await put('run.sh', 'echo a\n');
    await put('move.sh', 'echo b\n');
    await chmod(at('run.sh'), 0o750);
    await chmod(at('move.sh'), 0o755);
    await apply([
      change('run.sh', 'echo a\n', 'echo A\n'),
      change('move.sh', 'echo b\n', null),
      change('bin/move.sh', null, 'echo b\n', 'move.sh'),
    ]);
    expect((await stat(at('run.sh'))).mode & 0o777).toBe(0o750);
    expect((await stat(at('bin/move.sh'))).mode & 0o777).toBe(0o755);
  });

  test.each(['utf-16le', 'utf-16be', 'utf-8'] as const)('in %s as the file was', async (encoding) => {
    await put('a.txt', encodeText('\uFEFFeins\r\nzwei\r\n', encoding));
    await put('b.txt', encodeText('\uFEFFmoved\r\n', encoding));
    await apply([
      change('a.txt', '\uFEFFeins\r\nzwei\r\n', '\uFEFFeins\r\ndrei ☂\r\n'),
      change('b.txt', '\uFEFFmoved\r\n', null),
      change('c.txt', null, '\uFEFFmoved\r\n', 'b.txt'),
    ]);
    expect(await readFile(at('a.txt'))).toEqual(
      Buffer.from(encodeText('\uFEFFeins\r\ndrei ☂\r\n', encoding)),
    );
    expect(await readFile(at('c.txt'))).toEqual(Buffer.from(encodeText('\uFEFFmoved\r\n', encoding)));
  });
});

test('what a move takes away is taken last: at no time it is nowhere', async () => {
  await put('from.md', 'moved\n');
  const fs = createNodeFileSystem();
  let atRemoval = {};
  const watched: FileSystem = {
    ...fs,
    removeExact: async (path) => {
      atRemoval = await files();
      await fs.removeExact(path);
    },
  };
  await apply([change('from.md', 'moved\n', null), change('to.md', null, 'moved\n', 'from.md')], watched);
  expect(atRemoval).toMatchObject({ 'from.md': 'moved\n', 'to.md': 'moved\n' });
});

describe('nothing is changed', () => {
  const refused: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    ['a file changed', 'edit_stale', () => put('b.md', 'theirs\n')],
    ['a file went away', 'edit_stale', () => rm(at('gone.md'))],
    ['a file appeared', 'edit_stale', () => put('deep/new.md', 'theirs\n')],
    ['a file is no text any more', 'edit_stale', () => put('b.md', new Uint8Array([1, 0, 2]))],
    ['a file is read-only', 'io_forbidden', () => chmod(at('b.md'), 0o444)],
    ['a folder is in the way', 'io_not_a_file', () => mkdir(at('to.md'))],
    ['a file is where a folder has to be', 'io_not_found', () => put('deep', 'a file\n')],
    [
      'a folder became a link',
      'io_moved',
      async () => {
        await mkdir(at('elsewhere'));
        await symlink(at('elsewhere'), at('deep'));
      },
    ],
  ];
  test.each(refused)('when %s', async (_why, code, happen) => {
    await putAll();
    await happen();
    const before = await files().catch((error: unknown) => error);
    await expect(apply(everyKind())).rejects.toMatchObject({ code });
    expect(await files().catch((error: unknown) => error)).toEqual(before);
  });

  test('when the folder of a file was deleted', async () => {
    await put('docs/a.md', 'a\n');
    await put('b.md', 'b\n');
    await rm(at('docs'), { recursive: true });
    const changes = [change('b.md', 'b\n', 'B\n'), change('docs/a.md', 'a\n', 'A\n')];
    await expect(apply(changes)).rejects.toMatchObject({ code: 'edit_stale' });
    expect(await files()).toEqual({ 'b.md': 'b\n' });
  });

  test('when a file changes while the new texts are written beside it', async () => {
    await putAll();
    const fs = createNodeFileSystem();
    let isFirst = true;
    const raced: FileSystem = {
      ...fs,
      stageExact: async (...args) => {
        if (isFirst) await put('b.md', 'theirs\n');
        isFirst = false;
        return await fs.stageExact(...args);
      },
    };
    await expect(apply(everyKind(), raced)).rejects.toMatchObject({ code: 'edit_stale' });
    expect(await files()).toEqual({ ...beforeAll, 'b.md': 'theirs\n' });
  });

  test('whichever step of writing the disk is full at', async () => {
    const steps = await countWrites();
    expect(steps).toBe(stagedOfEveryKind + 4 + 2);
    for (let failing = 1; failing <= steps; failing += 1) {
      await putAll();
      const { fs } = fullDisk(failing);
      await expect(apply(everyKind(), fs), `step ${failing}`).rejects.toMatchObject({
        code: 'io_disk_full',
        message: expect.stringContaining('nothing was written') as string,
      });
      expect(await files(), `step ${failing}`).toEqual(beforeAll);
    }
  });
});

test('two changes of one file at once are refused', async () => {
  await put('a.md', 'a\n');
  await expect(apply([change('a.md', 'a\n', 'A\n'), change('a.md', 'a\n', null)])).rejects.toMatchObject({
    code: 'edit_duplicate',
  });
  expect(await files()).toEqual({ 'a.md': 'a\n' });
});

test('what could not be put back is named', async () => {
  await putAll();
  // From the third rename on every one fails, those of the way back too.
  const { fs } = fullDisk(stagedOfEveryKind + 3, true);
  await expect(apply(everyKind(), fs)).rejects.toMatchObject({
    code: 'edit_not_undone',
    message: expect.stringContaining(at('a.md')) as string,
  });
});

test('a single file needs no second copy', async () => {
  await put('a.md', 'a\n');
  const { fs, count } = fullDisk(Number.POSITIVE_INFINITY);
  await apply([change('a.md', 'a\n', 'A\n')], fs);
  expect(count()).toBe(2);
});

/** A disk that is full at one step of writing (counting from 1), or from there on. */
function fullDisk(failing: number, stays = false): { readonly fs: FileSystem; readonly count: () => number } {
  const real = createNodeFileSystem();
  let count = 0;
  const step = (): void => {
    count += 1;
    if (count === failing || (stays && count > failing))
      throw new PincerError('io_disk_full', 'Could not write: ENOSPC');
  };
  const fs: FileSystem = {
    ...real,
    stageExact: async (...args) => {
      step();
      const staged = await real.stageExact(...args);
      return {
        discard: () => staged.discard(),
        commit: async () => {
          step();
          await staged.commit();
        },
      };
    },
    removeExact: async (path) => {
      step();
      await real.removeExact(path);
    },
  };
  return { fs, count: () => count };
}

async function countWrites(): Promise<number> {
  await putAll();
  const { fs, count } = fullDisk(Number.POSITIVE_INFINITY);
  await apply(everyKind(), fs);
  const total = count();
  await rm(root, { recursive: true });
  await mkdir(root);
  return total;
}
