import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import { createManualClock, type ManualClock } from '../../../test/builders/manualClock.ts';
import { createNodeWorkers } from '../../host/node/nodeWorkers.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import type { Clock } from '../../host/ports.ts';
import type { WorkerThread } from '../../host/workers.ts';
import { openEngineWorld, wasmFile, type EngineWorld } from '../../../test/builders/openEngineWorld.ts';
import type { Memory } from '../memory.ts';
import type { MemorySettings } from '../memorySettings.ts';
import { type ConfigurableMemory, createMemory } from './createMemory.ts';

const workerFile = join(import.meta.dirname, '../../runtime/memoryWorker.ts');
const withWait = { waitMs: 15_000 };

let world: EngineWorld;
let memories: Memory[];
let threads: WorkerThread[];

beforeEach(async () => {
  world = await openEngineWorld({ 'a.md': '# Cats\n\nThe cat sleeps.', 'b.md': '# Dogs\n\nThe dog barks.' });
  memories = [];
  threads = [];
});

afterEach(async () => {
  await Promise.all(memories.map((memory) => memory.close()));
  await world.close();
});

/** A memory in a real thread, from the sources. */
function open(
  parts: { readonly clock?: Clock; readonly isEnabled?: () => boolean; readonly file?: string } = {},
  settings: () => MemorySettings = () => world.settings,
): ConfigurableMemory {
  const { start } = createNodeWorkers();
  const memory = createMemory({
    workers: {
      start(file) {
        const thread = start(file);
        threads.push(thread);
        return thread;
      },
    },
    clock: parts.clock ?? systemClock,
    log: createInMemoryLog(),
    workerFile: parts.file ?? workerFile,
    place: { folder: world.folder, wasmFile },
    isEnabled: parts.isEnabled ?? (() => true),
    settings,
  });
  memories.push(memory);
  return memory;
}

const labels = async (memory: Memory, query: string): Promise<readonly string[]> =>
  (await memory.search(query, withWait)).hits.map(({ label }) => label);

/** Resolves at the next change that makes it true. */
async function until(memory: Memory, check: () => boolean): Promise<void> {
  if (check()) return;
  await new Promise<void>((resolve) => {
    const listening = memory.onDidChange(() => {
      if (!check()) return;
      listening.dispose();
      resolve();
    });
  });
}

describe('the memory in its thread', () => {
  it('starts at the first need and answers', async () => {
    const memory = open();
    expect(threads).toHaveLength(0);
    memory.changed([world.path('a.md')]);
    memory.changedBroadly();
    expect(memory.progress()).toBeUndefined();
    expect(threads).toHaveLength(0);
    expect(await labels(memory, 'cat')).toEqual(['a.md']);
    expect(threads).toHaveLength(1);
    expect(await memory.status()).toMatchObject({ isEnabled: true, files: 2, role: 'writing' });
    expect((await memory.files()).map(({ label }) => label)).toEqual(['a.md', 'b.md']);
    expect((await memory.find('b.md'))?.path).toBe(world.path('b.md'));
  });

  it('finds what was saved, and tells that it changed', async () => {
    const memory = open();
    await memory.sync();
    let changes = 0;
    memory.onDidChange(() => (changes += 1));
    await world.write('a.md', 'The parrot talks.');
    memory.changed([world.path('a.md')]);
    expect(await labels(memory, 'parrot')).toEqual(['a.md']);
    await until(memory, () => changes > 0);
  });

  it('hands on errors with their code and hint', async () => {
    const memory = open();
    await expect(memory.search('cat', { files: [''] })).rejects.toMatchObject({
      name: 'PincerError',
      code: 'glob_invalid',
    });
  });

  it('rejects at once what is cancelled, and goes on', async () => {
    const memory = open();
    await expect(memory.search('cat', {}, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    await memory.status();
    const controller = new AbortController();
    const synced = memory.sync({ rebuild: true }, controller.signal);
    controller.abort();
    await expect(synced).rejects.toMatchObject({ code: 'cancelled' });
    expect(await labels(memory, 'dog')).toEqual(['b.md']);
  });

  it('takes new settings while it runs', async () => {
    let settings = world.settings;
    const memory = open({}, () => settings);
    expect(await labels(memory, 'cat dog')).toHaveLength(2);
    settings = { ...settings, exclude: ['a.md'] };
    await memory.reconfigure();
    await memory.sync();
    expect(await labels(memory, 'cat dog')).toEqual(['b.md']);
  });
});

describe('a memory that is switched off', () => {
  it('starts no thread, says so, and refuses', async () => {
    let isEnabled = false;
    const memory = open({ isEnabled: () => isEnabled });
    expect(await memory.status()).toMatchObject({ isEnabled: false, files: 0 });
    await expect(memory.search('cat')).rejects.toMatchObject({ code: 'memory_disabled' });
    expect(threads).toHaveLength(0);
    isEnabled = true;
    await memory.reconfigure();
    expect(await labels(memory, 'cat')).toEqual(['a.md']);
    isEnabled = false;
    await memory.reconfigure();
    await expect(memory.search('cat')).rejects.toMatchObject({ code: 'memory_disabled' });
    isEnabled = true;
    expect(await labels(memory, 'cat')).toEqual(['a.md']);
  });
});

describe('a thread that fails', () => {
  it('rejects what was asked, is told, and is started again at the next need', async () => {
    const memory = open();
    await memory.sync();
    const asked = memory.sync({ rebuild: true });
    await Promise.all([
      expect(asked).rejects.toMatchObject({ code: 'memory_stopped' }),
      threads[0]!.terminate(),
    ]);
    expect(await labels(memory, 'cat')).toEqual(['a.md']);
    expect(threads).toHaveLength(2);
    const { role, problems } = await memory.status();
    // It may write again though the first thread never gave that back.
    expect(role).toBe('writing');
    expect(problems.map(({ code }) => code)).toEqual(['memory_crashed']);
  });

  it('is left alone after three failures, and tried again after five minutes', async () => {
    const clock: ManualClock = createManualClock();
    const memory = open({ clock, file: join(world.root, 'no-such-program.js') });
    for (let times = 0; times < 3; times += 1)
      await expect(memory.search('cat')).rejects.toMatchObject({ code: 'memory_stopped' });
    expect(threads).toHaveLength(3);
    await expect(memory.search('cat')).rejects.toThrow('ended 3 times');
    expect(threads).toHaveLength(3);
    clock.advance(5 * 60_000);
    await expect(memory.search('cat')).rejects.toMatchObject({ code: 'memory_stopped' });
    expect(threads).toHaveLength(4);
  });
});

describe('the end of a memory', () => {
  it('saves, ends the thread and gives back the right to write', async () => {
    const memory = open();
    await memory.sync();
    const ended = new Promise<void>((resolve) => threads[0]!.onEnd(() => resolve()));
    await memory.close();
    await ended;
    await memory.close();
    await expect(memory.search('cat')).rejects.toMatchObject({ code: 'memory_stopped' });
    expect(await readdir(world.folder)).toContain('index.sqlite');
    const next = world.create();
    await next.configure(world.settings);
    expect(await next.status()).toMatchObject({ role: 'writing', files: 2 });
    expect(await next.labels('dog')).toEqual(['b.md']);
  });

  it('does not wait for a thread that does not answer', async () => {
    const clock = createManualClock();
    await world.write('stuck.mjs', 'for (;;);');
    const memory = open({ clock, file: world.path('stuck.mjs') });
    const asked = expect(memory.search('cat')).rejects.toMatchObject({ code: 'memory_stopped' });
    while (threads.length === 0) await setImmediate();
    const closed = memory.close();
    clock.advance(10_000);
    await Promise.all([closed, asked]);
  });
});
