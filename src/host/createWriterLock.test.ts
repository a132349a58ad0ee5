import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PincerError } from '../base/errors.ts';
import { createNodeFileSystem } from './node/nodeFileSystem.ts';
import type { ProcessOwner } from './processOwner.ts';
import { createWriterLock, type WriterLock, type WriterLockDeps } from './createWriterLock.ts';

const fs = createNodeFileSystem();

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Processes by name, of which those in `dead` have ended. */
function lockOf(process: string, changes: Partial<WriterLockDeps> & { dead?: Set<string> } = {}): WriterLock {
  const { dead, ...deps } = changes;
  const owner: ProcessOwner = {
    id: () => Promise.resolve(process),
    isAlive: (id) => Promise.resolve(dead?.has(id) !== true),
  };
  return createWriterLock({
    fs,
    folder,
    owner,
    clock: { monotonic: () => 0, now: () => Date.parse('2026-11-21T12:00:00Z') },
    ...deps,
  });
}

it('one of several has it, within a process as over processes, until it is released', async () => {
  const locks = [lockOf('p1'), lockOf('p1'), lockOf('p2')];
  const [first] = locks;
  expect(await first!.tryAcquire()).toBe(true);
  expect(await Promise.all(locks.map((lock) => lock.tryAcquire()))).toEqual([true, false, false]);
  await locks[1]!.release();
  expect(await Promise.all(locks.map((lock) => lock.isHeld()))).toEqual([true, false, false]);
  await first!.release();
  expect(await first!.isHeld()).toBe(false);
  expect(await locks[2]!.tryAcquire()).toBe(true);
  expect(await locks[1]!.tryAcquire()).toBe(false);
});

it('of those who ask at once one gets it', async () => {
  const locks = Array.from({ length: 8 }, (_, n) => lockOf(`p${n % 4}`));
  const got = await Promise.all(locks.map((lock) => lock.tryAcquire()));
  expect(got.filter(Boolean)).toHaveLength(1);
});

it('it is taken over from a process that has ended, and never from one that lives', async () => {
  const dead = new Set<string>();
  expect(await lockOf('old').tryAcquire()).toBe(true);
  const next = lockOf('new', { dead });
  expect(await next.tryAcquire()).toBe(false);
  dead.add('old');
  // What is known of a process holds for some seconds.
  expect(await next.tryAcquire()).toBe(false);
  expect(await lockOf('new', { dead }).tryAcquire()).toBe(true);
});

it('it is taken over from a thread of the same process that is known to have ended', async () => {
  expect(await lockOf('p', { instance: 'crashed' }).tryAcquire()).toBe(true);
  expect(await lockOf('p', { hasEnded: (instance) => instance === 'other' }).tryAcquire()).toBe(false);
  expect(await lockOf('p', { hasEnded: (instance) => instance === 'crashed' }).tryAcquire()).toBe(true);
});

it.each([
  ['taken by another', () => lockOf('b', { dead: new Set(['a']) }).tryAcquire()],
  ['removed', () => rm(folder, { recursive: true })],
  ['overwritten', () => writeFile(join(folder, 'writer-1.lock'), '\0'.repeat(60))],
])('who had it sees that it was %s', async (_, change) => {
  const lock = lockOf('a');
  expect(await lock.tryAcquire()).toBe(true);
  await change();
  expect(await lock.isHeld()).toBe(false);
});

it.each([
  ['is empty', ''],
  ['holds zeros', '\0\0\0'],
  ['has other types', '{"owner":1}'],
  ['is no record', 'null'],
  ['is too long', 'x'.repeat(20_000)],
])('a lock that %s holds nobody up', async (_, text) => {
  await writeFile(join(folder, 'writer-7.lock'), text);
  expect(await lockOf('a').tryAcquire()).toBe(true);
});

it('what a killed process has half written is removed once it is old', async () => {
  const names = ['.pincer-0a-1.tmp', '.pincer-0a-2.tmp', 'notes.tmp'];
  for (const name of names) await writeFile(join(folder, name), 'half');
  const now = Date.parse('2026-11-21T12:00:00Z') / 1_000;
  for (const [n, name] of names.entries())
    await utimes(join(folder, name), now, now - (n === 1 ? 60 : 3_600));
  expect(await lockOf('a').tryAcquire()).toBe(true);
  expect((await readdir(folder)).sort()).toEqual(['.pincer-0a-2.tmp', 'notes.tmp', 'writer-1.lock']);
});

it('other files of the folder are left alone, and locks do not pile up', async () => {
  await writeFile(join(folder, 'index.db'), '');
  for (let n = 0; n < 5; n += 1) {
    const lock = lockOf('a');
    expect(await lock.tryAcquire()).toBe(true);
    await lock.release();
  }
  expect((await readdir(folder)).sort()).toEqual(['index.db', 'writer-5.lock']);
});

it('who gave it back takes it again with two looks at the disk, unless another has had it since', async () => {
  const first = lockOf('a');
  await first.tryAcquire();
  const after = await first.release();
  let steps = 0;
  const disk = createStepwiseDisk(() => {
    steps += 1;
    return Promise.resolve();
  });
  await disk.createFile(join(folder, 'writer-1.lock'), '{}');
  steps = 0;
  const second = lockOf('a', { fs: disk, after });
  expect(await second.tryAcquire()).toBe(true);
  expect(steps).toBe(2);
  expect(await lockOf('a', { fs: disk, after }).tryAcquire()).toBe(false);
  await second.release();
  expect(await lockOf('b', { fs: disk }).tryAcquire()).toBe(true);
  expect(await lockOf('a', { fs: disk, after }).tryAcquire()).toBe(false);
});

it('never do two have it, in whatever order the steps of several come, of whom some end while they have it', async () => {
  /** How each process ends its turns; each starts anew under another name. */
  const lives = fc.array(fc.constantFrom('releases', 'dies'), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(lives, { minLength: 2, maxLength: 4 }),
      async (scheduler, all) => {
        const disk = createStepwiseDisk(() => scheduler.schedule(Promise.resolve()));
        const dead = new Set<string>();
        let holders = 0;
        let acquired = 0;
        const work = async (ends: readonly string[], n: number): Promise<void> => {
          let after: number | undefined;
          for (const [turn, end] of ends.entries()) {
            const lock = lockOf(`p${n}.${turn}`, { dead, fs: disk, after });
            if (!(await lock.tryAcquire())) continue;
            acquired += 1;
            holders += 1;
            expect(holders).toBe(1);
            expect(await lock.isHeld()).toBe(true);
            holders -= 1;
            if (end === 'releases') after = await lock.release();
            else dead.add(`p${n}.${turn}`);
          }
        };
        await scheduler.waitFor(Promise.all(all.map(work)));
        expect(acquired).toBeGreaterThan(0);
      },
    ),
    { numRuns: 500 },
  );
});

/** A folder in memory; `step` says when each call is made. */
function createStepwiseDisk(step: () => Promise<void>): WriterLockDeps['fs'] {
  const files = new Map<string, string>();
  const kind = 'file' as const;
  return {
    async lstat() {
      return undefined;
    },
    async readDirectory() {
      await step();
      return [...files.keys()].map((path) => ({ name: basename(path), kind }));
    },
    async readText(path) {
      await step();
      const text = files.get(path);
      if (text === undefined) throw new PincerError('io_not_found', path);
      return text;
    },
    async createFile(path, text) {
      await step();
      if (files.has(path)) return false;
      files.set(path, text);
      return true;
    },
    async writeFile(path, text) {
      await step();
      files.set(path, String(text));
    },
    async remove(path) {
      await step();
      files.delete(path);
    },
  };
}
