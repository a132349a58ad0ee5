import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, type ManualClock } from '../host/memory/manualClock.ts';
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

const marks = () => readdir(join(stateDir, 'loading'));

describe('createHangGuard', () => {
  it('keeps a mark only while the code runs, whatever becomes of it', async () => {
    expect(await guard.watch('p', 'c', marks)).toEqual(['p-p.json']);
    expect(await marks()).toEqual([]);
    await expect(guard.watch('p', 'c', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await marks()).toEqual([]);
  });

  it('knows a plugin that did not come back, by its content', async () => {
    const states = await guard.watch('p', 'c', async () => {
      const now = await guard.hasHung('p', 'c');
      alive = false;
      return [
        now,
        await guard.hasHung('p', 'c'),
        await guard.hasHung('p', 'other'),
        await guard.hasHung('q', 'c'),
      ];
    });
    expect(states).toEqual([false, true, false, false]);
    expect(await guard.hasHung('p', 'c')).toBe(false);
  });

  it('takes a mark for a hang after 90 seconds, even while that process lives', async () => {
    const hung = await guard.watch('p', 'c', async () => {
      clock.advance(91_000);
      return await guard.hasHung('p', 'c');
    });
    expect(hung).toBe(true);
  });

  it('runs one plugin at a time, so that the one that hangs has the only mark', async () => {
    const seen: string[][] = [];
    await Promise.all(
      ['a', 'b', 'c'].map((id) => guard.watch(id, 'c', async () => void seen.push(await marks()))),
    );
    expect(seen).toEqual([['p-a.json'], ['p-b.json'], ['p-c.json']]);
  });

  it('lets the next begin while one waits for something', async () => {
    let finish = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (finish = resolve));
    const started = new Promise<void>((begun) => {
      void guard.watch('slow', 'c', () => {
        begun();
        return waiting;
      });
    });
    const next = guard.watch('next', 'c', marks);
    await started;
    clock.advance(1_000);
    expect(await next).toEqual(['p-next.json']);
    finish();
  });

  it('ignores a mark that it can not read', async () => {
    await guard.watch('p', 'c', () => Promise.resolve());
    await writeFile(join(stateDir, 'loading/p-p.json'), '{ "hash": \u0000');
    expect(await guard.hasHung('p', 'c')).toBe(false);
  });
});
