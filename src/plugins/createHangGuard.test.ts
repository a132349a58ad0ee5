import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, type ManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createHangGuard, type HangGuard } from './createHangGuard.ts';

let stateDir: string;
let clock: ManualClock;
let alive: boolean;
let guard: HangGuard;

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'pincer-hang-'));
  clock = createManualClock(1_000_000);
  alive = true;
  guard = createHangGuard({ fs: createNodeFileSystem(), clock, stateDir, isAlive: () => alive });
});
afterEach(() => rm(stateDir, { recursive: true, force: true }));

const marks = async () => (await readdir(join(stateDir, 'loading'))).map((name) => name.split('.')[0]);

/** As a window that is killed, or hangs, leaves it. */
const leave = async (content: string, name: string) => {
  let mark = '';
  await guard.watch('p', content, async () => {
    const [file = ''] = await readdir(join(stateDir, 'loading'));
    mark = await readFile(join(stateDir, 'loading', file), 'utf8');
  });
  return () => writeFile(join(stateDir, 'loading', `p-p.${name}.json`), mark);
};

/** Two marks of the same content. */
const leaveTwo = async () => {
  const both = [await leave('c', 'one'), await leave('c', 'two')];
  for (const each of both) await each();
};

describe('createHangGuard', () => {
  it('keeps a mark only while the code runs, whatever becomes of it', async () => {
    expect(await guard.watch('p', 'c', marks)).toEqual(['p-p']);
    expect(await marks()).toEqual([]);
    await expect(guard.watch('p', 'c', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await marks()).toEqual([]);
  });

  it('knows a plugin that did not come back twice, by its content', async () => {
    await leaveTwo();
    expect(await guard.hasHung('p', 'c')).toBe(false);
    alive = false;
    expect(await guard.hasHung('p', 'c')).toBe(true);
    expect(await guard.hasHung('p', 'other')).toBe(false);
    expect(await guard.hasHung('q', 'c')).toBe(false);
  });

  it('takes one mark for a window that was killed, and forgets it when the plugin comes back', async () => {
    await (
      await leave('c', 'killed')
    )();
    alive = false;
    expect(await guard.hasHung('p', 'c')).toBe(false);
    await guard.watch('p', 'c', () => Promise.resolve());
    expect(await marks()).toEqual([]);
  });

  it('does not add up marks of different contents', async () => {
    const both = [await leave('c', 'one'), await leave('d', 'two')];
    for (const each of both) await each();
    alive = false;
    expect(await guard.hasHung('p', 'c')).toBe(false);
  });

  it('counts a mark after 90 seconds, even while that process lives', async () => {
    await leaveTwo();
    clock.advance(91_000);
    expect(await guard.hasHung('p', 'c')).toBe(true);
  });

  it('leaves the mark of another window that is at it', async () => {
    const other = createHangGuard({ fs: createNodeFileSystem(), clock, stateDir, isAlive: () => alive });
    const left = await guard.watch('p', 'c', async () => {
      await other.watch('p', 'd', () => Promise.resolve());
      return await marks();
    });
    expect(left).toEqual(['p-p']);
  });

  it('runs one plugin at a time, so that the one that hangs has the only mark', async () => {
    const seen: unknown[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map((id) => guard.watch(id, 'c', async () => void seen.push(await marks()))),
    );
    expect(seen).toEqual([['p-a'], ['p-b'], ['p-c']]);
  });

  it('lets the next begin and end while one waits for something', async () => {
    const started = new Promise<void>((begun) => {
      void guard.watch('slow', 'c', () => {
        begun();
        return new Promise(() => undefined);
      });
    });
    const quick = guard.watch('next', 'c', marks);
    void guard.watch('slow too', 'c', () => new Promise(() => undefined));
    await started;
    clock.advance(1_000);
    expect(await quick).toEqual(['p-next']);
  });

  it('ends with its own plugin, whatever waits in the queue behind it', async () => {
    const first = guard.watch('quick', 'c', () => Promise.resolve('done'));
    void guard.watch('stuck', 'c', () => new Promise(() => undefined));
    expect(await first).toBe('done');
  });

  it('ignores a mark that it can not read', async () => {
    await leaveTwo();
    alive = false;
    await writeFile(join(stateDir, 'loading/p-p.one.json'), '{ "hash": \u0000');
    expect(await guard.hasHung('p', 'c')).toBe(false);
  });
});
