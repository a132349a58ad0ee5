import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { systemClock } from '../host/node/systemClock.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import { createTurnLocks, type TurnLocks } from './turnLocks.ts';

const id = '00000000-0000-4000-8000-000000000001';
const other = '00000000-0000-4000-8000-000000000002';

describe('turn locks', () => {
  let folder: string;
  let alive: Set<number>;
  let waiting: number;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pincer-locks-'));
    alive = new Set([1, 2, 3]);
    waiting = 0;
  });
  afterEach(() => rm(folder, { recursive: true }));
  const processOf = (pid: number): TurnLocks =>
    createTurnLocks({
      ...{ fs: createNodeFileSystem(), clock: systemClock, log: createInMemoryLog(), folder },
      owner: createProcessOwner(async (each) => (alive.has(each) ? `started-${each}` : undefined), pid),
    });
  const take = (locks: TurnLocks, signal = new AbortController().signal, session = id) =>
    locks.take(session, signal, () => (waiting += 1));

  it('the second process waits for the first, and is told once', async () => {
    const leave = await take(processOf(1));
    let hasTaken = false;
    const second = take(processOf(2)).then((left) => {
      hasTaken = true;
      return left;
    });
    await expect.poll(() => waiting).toBe(1);
    expect(hasTaken).toBe(false);
    await leave();
    await (
      await second
    )();
    expect(waiting).toBe(1);
  });

  it('turns of different sessions do not wait for each other', async () => {
    const leave = await take(processOf(1));
    await (
      await take(processOf(2), undefined, other)
    )();
    expect(waiting).toBe(0);
    await leave();
  });

  it('the next turn of the same process waits for nothing but the last one to be given back', async () => {
    const locks = processOf(1);
    for (let turn = 0; turn < 5; turn += 1) {
      const leave = await take(locks);
      void leave();
    }
    await (
      await take(locks)
    )();
    expect(waiting).toBe(0);
    await locks.remove(id);
    expect(await readdir(folder)).toEqual([]);
  });

  it('what a dead process held is free, for one of all that want it', async () => {
    await take(processOf(1));
    alive.delete(1);
    const taken: number[] = [];
    const turns = [2, 3].map(async (pid) => {
      const leave = await take(processOf(pid));
      taken.push(pid);
      // Long enough for the other one to look, and look again.
      await new Promise((resolve) => void systemClock.after(300, () => resolve(undefined)));
      expect(taken).toHaveLength(1);
      taken.pop();
      await leave();
    });
    await Promise.all(turns);
  });

  it('says of a session whether another living process has it, and disturbs nobody by asking', async () => {
    const locks = processOf(1);
    const leave = await take(locks);
    const asked = (): Promise<readonly boolean[]> =>
      Promise.all([locks, processOf(1), processOf(2)].map((each) => each.isTakenElsewhere(id)));
    expect(await asked()).toEqual([false, false, true]);
    expect(await processOf(2).isTakenElsewhere(other)).toBe(false);
    expect(await readdir(folder)).toEqual([id]);
    await leave();
    expect(await asked()).toEqual([false, false, false]);
    await take(locks);
    alive.delete(1);
    expect(await processOf(2).isTakenElsewhere(id)).toBe(false);
  });

  it('whoever waits can be cancelled, and leaves what the other holds', async () => {
    const leave = await take(processOf(1));
    const cancel = new AbortController();
    const second = take(processOf(2), cancel.signal);
    await expect.poll(() => waiting).toBe(1);
    cancel.abort();
    await expect(second).rejects.toMatchObject({ code: 'cancelled' });
    await leave();
    await (
      await take(processOf(2))
    )();
    expect(waiting).toBe(1);
  });
});
