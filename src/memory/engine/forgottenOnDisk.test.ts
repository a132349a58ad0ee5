import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openEngineWorld, type EngineWorld } from '../../../test/builders/openEngineWorld.ts';

let world: EngineWorld;
afterEach(() => world.close());

const never = new AbortController().signal;
const onDisk = async (): Promise<Buffer> => await readFile(join(world.folder, 'index.sqlite'));

describe('a forgotten file', () => {
  it('leaves no word in the index file', async () => {
    world = await openEngineWorld({ 'a.md': 'apple', 'b.md': 'apple hunterzz' });
    const engine = await world.open();
    await engine.until(async () => (await engine.status()).bytes > 0);
    expect((await onDisk()).includes('hunterzz')).toBe(true);
    await engine.forget(world.path('b.md'));
    await engine.close();
    expect((await onDisk()).includes('hunterzz')).toBe(false);
  });

  it('gives its words back where they occur again, also after a restart', async () => {
    world = await openEngineWorld({ 'a.md': 'apple', 'b.md': 'apple hunterzz' });
    const engine = await world.open();
    await engine.forget(world.path('b.md'));
    await world.write('c.md', 'hunterzz');
    await engine.sync({}, never);
    await engine.close();
    const next = await world.open();
    expect(await next.labels('hunterzz')).toEqual(['c.md']);
  });

  it('is not in an index that is rebuilt meanwhile', async () => {
    const many = Array.from({ length: 300 }, (_, at): [string, string] => [
      `docs/${String(at)}.md`,
      'apple '.repeat(200),
    ]);
    world = await openEngineWorld({ 'MEMORY.md': 'hunterzz', ...Object.fromEntries(many) });
    const engine = await world.open();
    const rebuilt = engine.sync({ rebuild: true }, never);
    await engine.until(async () => ((await engine.status()).progress?.done ?? 0) > 1);
    await engine.forget(world.path('MEMORY.md'));
    await rebuilt;
    await engine.close();
    expect((await onDisk()).includes('hunterzz')).toBe(false);
  });

  it('is forgotten in every window', async () => {
    world = await openEngineWorld({ 'a.md': 'apple', 'b.md': 'apple hunterzz' });
    const writer = await world.open();
    await writer.until(async () => (await writer.status()).bytes > 0);
    const reader = world.create();
    await reader.configure(world.settings);
    await reader.forget(world.path('b.md'));
    expect(await writer.labels('hunterzz')).toEqual([]);
    await world.write('b.md', 'hunterzz again');
    await writer.changed([world.path('b.md')]);
    await writer.ask('apple', { waitMs: 5_000 });
    await writer.close();
    expect((await onDisk()).includes('hunterzz')).toBe(false);
  });
});
