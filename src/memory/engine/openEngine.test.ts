import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { PincerError } from '../../base/errors.ts';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import {
  openEngineWorld,
  type EngineWorld,
  type TestEngine,
} from '../../../test/builders/openEngineWorld.ts';

const never = new AbortController().signal;
let world: EngineWorld;

afterEach(async () => await world.close());

const roleOf = async (engine: TestEngine): Promise<string> => (await engine.status()).role;

describe('two windows on one workspace', () => {
  it('write one at a time; the other answers from what was saved, and follows', async () => {
    world = await openEngineWorld({ 'a.md': 'cat' });
    const clock = createManualClock(Date.now());
    const writer = await world.open({}, { clock });
    clock.advance(500);
    await writer.until(async () => (await writer.status()).generation > 0);

    const reader = world.create({ clock });
    await reader.configure(world.settings);
    expect([await roleOf(writer), await roleOf(reader)]).toEqual(['writing', 'reading']);
    expect(await reader.labels('cat')).toEqual(['a.md']);
    await expect(reader.sync({}, never)).rejects.toMatchObject({ code: 'memory_kept_elsewhere' });

    await world.write('b.md', 'cat and dog');
    await writer.sync({}, never);
    clock.advance(500);
    await writer.until(async () => (await writer.status()).generation > 1);
    clock.advance(3_000);
    await reader.until(async () => (await reader.labels('dog')).length > 0);
    expect(await reader.labels('dog')).toEqual(['b.md']);
  });

  it('lets the other take over when the one that writes ends', async () => {
    world = await openEngineWorld({ 'a.md': 'cat' });
    const clock = createManualClock(Date.now());
    const writer = await world.open({}, { clock });
    const reader = world.create({ clock });
    await reader.configure(world.settings);
    await writer.close();
    await world.write('b.md', 'dog');
    clock.advance(3_000);
    await reader.until(async () => (await roleOf(reader)) === 'writing');
    await reader.sync({}, never);
    expect(await reader.labels('cat dog')).toEqual(['a.md', 'b.md']);
  });

  it('takes back what a thread of its own left locked, and that one steps back', async () => {
    world = await openEngineWorld({ 'a.md': 'cat' });
    const clock = createManualClock(Date.now());
    const lost = await world.open({}, { clock, instance: 'lost' });
    const next = await world.open({}, { endedInstances: ['lost'] });
    expect(await roleOf(next)).toBe('writing');
    await world.write('a.md', 'dog');
    await lost.sync({}, never);
    clock.advance(500);
    await lost.until(async () => (await roleOf(lost)) === 'reading');
    expect(await roleOf(next)).toBe('writing');
  });

  it('do not find what the other has forgotten', async () => {
    world = await openEngineWorld({ 'a.md': 'cat', 'b.md': 'cat' });
    const writer = await world.open();
    const reader = world.create();
    await reader.configure(world.settings);
    await reader.forget(world.path('a.md'));
    // Before the next scan.
    expect(await writer.labels('cat')).toEqual(['b.md']);
    await reader.remember(world.path('a.md'));
    await writer.until(async () => (await writer.labels('cat')).length === 2);
    await reader.forget(world.path('a.md'));
    await writer.sync({}, never);
    expect((await writer.files()).map(({ state }) => state)).toEqual(['forgotten', 'indexed']);
    expect((await writer.status()).files).toBe(1);
  });
});

describe('an index file that can not be used', () => {
  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['zeroed', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    ['foreign', () => Buffer.from('this is a text')],
    ['empty', () => Buffer.alloc(0)],
  ])('is told and made anew: %s', async (_name, spoil) => {
    world = await openEngineWorld({ 'a.md': 'cat' });
    await (await world.open()).close();
    const file = join(world.folder, 'index.sqlite');
    await writeFile(file, spoil(await readFile(file)));

    const engine = world.create();
    await engine.configure(world.settings);
    expect((await engine.status()).problems.map(({ code }) => code)).toEqual(['memory_index_unusable']);
    await engine.sync({}, never);
    expect(await engine.labels('cat')).toEqual(['a.md']);
    expect((await engine.status()).problems).toEqual([]);
    await engine.close();

    const again = world.create();
    await again.configure(world.settings);
    expect(await again.labels('cat')).toEqual(['a.md']);
    expect((await again.status()).problems).toEqual([]);
  });
});

describe('a disk that fails', () => {
  const full = new PincerError('io_no_space', 'There is no space left on the disk.');

  it('is told, answers go on, and the index is saved once there is room', async () => {
    world = await openEngineWorld({ 'a.md': 'cat' });
    const clock = createManualClock(Date.now());
    const fs = createNodeFileSystem();
    let isFull = true;
    const engine = await world.open(
      {},
      {
        clock,
        fs: {
          ...fs,
          writeFile: async (...args) => {
            if (isFull) throw full;
            await fs.writeFile(...args);
          },
        },
      },
    );
    const codes = async (): Promise<readonly string[]> =>
      (await engine.status()).problems.map(({ code }) => code);
    clock.advance(500);
    await engine.until(async () => (await codes()).includes('memory_not_saved'));
    expect(await engine.labels('cat')).toEqual(['a.md']);
    isFull = false;
    clock.advance(30_000);
    await engine.until(async () => (await engine.status()).bytes > 0);
    expect(await codes()).toEqual([]);
  });

  it('does not keep the memory from starting', async () => {
    world = await openEngineWorld({ 'a.md': 'cat' });
    await mkdir(join(world.folder, '..'), { recursive: true });
    // Where the folder would be lies a file.
    await writeFile(world.folder, '');
    const engine = await world.open();
    expect(await engine.labels('cat')).toEqual(['a.md']);
    expect((await engine.status()).problems.map(({ code }) => code)).toContain('memory_folder_unusable');
  });
});
