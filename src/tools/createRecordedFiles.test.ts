import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callOf, openCheckpoints } from '../../test/builders/openCheckpoints.ts';
import { PincerError } from '../base/errors.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import type { FileSystem } from '../host/ports.ts';
import { createDiskFiles } from './createDiskFiles.ts';
import { createRecordedFiles, encodeChange } from './createRecordedFiles.ts';

const diskFull = new PincerError('io_disk_full', 'No space left on device.');

describe('a disk that fails', () => {
  /** Fails at the `at`th call of those that need space, from then on always. */
  function fullAfter(at: number): {
    readonly disk: (fs: FileSystem) => FileSystem;
    readonly wasHit: () => boolean;
  } {
    let calls = 0;
    const spend = async <T>(work: () => Promise<T>): Promise<T> => {
      calls += 1;
      if (calls >= at) throw diskFull;
      return await work();
    };
    const disk = (fs: FileSystem): FileSystem => ({
      ...fs,
      writeFile: (...all) => spend(() => fs.writeFile(...all)),
      append: (...all) => spend(() => fs.append(...all)),
      stageExact: (...all) => spend(() => fs.stageExact(...all)),
    });
    return { disk, wasHit: () => calls >= at };
  }

  it('that is full leaves the files as they were, whenever it is full, and the next start finds nothing to do', async () => {
    const before = { 'a.md': 'one', 'gone.md': 'bye' };
    const after = { 'a.md': 'two', 'new/b.md': 'made' };
    for (let at = 1; ; at += 1) {
      await using world = await openCheckpoints();
      for (const [path, text] of Object.entries(before)) await world.put(path, text);
      const { disk, wasHit } = fullAfter(at);
      const { change } = world.window('w1', { disk });
      const failure = await change('t1', { ...after, 'gone.md': null }).then(
        () => undefined,
        (error: unknown) => error,
      );
      // Only the note that it is done may be missing.
      expect(await world.all()).toEqual(failure === undefined ? after : before);
      if (failure !== undefined)
        expect(['checkpoint_failed', 'io_disk_full']).toContain((failure as PincerError).code);
      world.dead.add('w1');
      expect(await world.window('w2').checkpoints.recover()).toEqual([]);
      expect(await world.all()).toEqual(failure === undefined ? after : before);
      if (!wasHit()) break;
    }
  });

  it('that refuses one of several files in the middle leaves all as they were', async () => {
    await using world = await openCheckpoints();
    await world.put('a.md', 'one');
    await world.put('b.md', 'one');
    const { change, checkpoints } = world.window('w1', {
      disk: (fs) => ({
        ...fs,
        async stageExact(place, ...rest) {
          const staged = await fs.stageExact(place, ...rest);
          if (!place.path.endsWith('b.md')) return staged;
          return { ...staged, commit: () => Promise.reject(new PincerError('io_forbidden', 'Read-only.')) };
        },
      }),
    });
    await expect(change('t1', { 'a.md': 'two', 'b.md': 'two' })).rejects.toMatchObject({
      code: 'io_forbidden',
    });
    expect(await world.all()).toEqual({ 'a.md': 'one', 'b.md': 'one' });
    expect(await checkpoints.list()).toEqual([]);
  });

  it('that holds read-only files changes none, a read-only folder neither', async () => {
    await using world = await openCheckpoints();
    await world.put('a.md', 'one');
    await world.put('b.md', 'one');
    const { change, checkpoints } = world.window('w1');
    await chmod(join(world.workspace, 'b.md'), 0o444);
    await expect(change('t1', { 'a.md': 'two', 'b.md': 'two' })).rejects.toMatchObject({
      code: 'io_forbidden',
    });
    expect(await world.all()).toEqual({ 'a.md': 'one', 'b.md': 'one' });
    expect(await readdir(world.workspace)).toEqual(['a.md', 'b.md']);
    expect(await checkpoints.list()).toEqual([]);
  });
});

it('takes back what an implementation has left behind when it fails', async () => {
  await using world = await openCheckpoints();
  await world.put('a.md', 'one');
  const { checkpoints, files } = world.window('w1');
  const path = join(world.workspace, 'a.md');
  const sloppy = createRecordedFiles(
    {
      ...files,
      async apply() {
        await world.put('a.md', 'two');
        throw new PincerError('io_failed', 'Half done.');
      },
    },
    checkpoints,
  );
  const changes = [{ path, before: 'one', after: 'two' }];
  await expect(sloppy.apply(changes, callOf('t1'))).rejects.toMatchObject({ code: 'io_failed' });
  expect(await world.get('a.md')).toBe('one');
});

it.each([
  ['UTF-8', Buffer.from('old')],
  ['UTF-8 with a mark', Buffer.from('\uFEFFold')],
  ['UTF-16', Buffer.from('\uFEFFold', 'utf16le')],
])('knows beforehand the bytes that a change of a file in %s writes', async (_name, old) => {
  await using world = await openCheckpoints();
  await world.put('a.md', old);
  const path = join(world.workspace, 'a.md');
  const files = createDiskFiles(createNodeFileSystem());
  const before = (await files.readText(path)) ?? '';
  const change = { path, root: world.workspace, before, after: before.replace('old', 'new') };
  const expected = encodeChange(change, old);
  await files.apply([change], callOf('t1'));
  expect(Buffer.from(expected.before ?? [])).toEqual(old);
  expect(Buffer.from(expected.after ?? [])).toEqual(await readFile(path));
});

it('knows that an editor keeps the mark of a file apart from its text', () => {
  const marked = Buffer.from('\uFEFFon disk');
  const { before, after } = encodeChange({ path: '/a', before: 'unsaved', after: 'new' }, marked);
  expect([before, after].map((bytes) => Buffer.from(bytes ?? []).toString())).toEqual([
    '\uFEFFunsaved',
    '\uFEFFnew',
  ]);
});
