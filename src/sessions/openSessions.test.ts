import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import { createOpenSessions, type OpenSessions } from './openSessions.ts';

const id = '00000000-0000-4000-8000-000000000001';
const other = '00000000-0000-4000-8000-000000000002';

describe('open marks', () => {
  let folder: string;
  let alive: Set<number>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pincer-open-'));
    alive = new Set([1, 2, 3]);
  });
  afterEach(() => rm(folder, { recursive: true }));
  const processOf = (pid: number): OpenSessions =>
    createOpenSessions({
      ...{ fs: createNodeFileSystem(), log: createInMemoryLog(), pid, folder: join(folder, 'open') },
      owner: createProcessOwner(async (each) => (alive.has(each) ? `started-${each}` : undefined), pid),
    });

  it('a session that a dead process had open is orphaned, once', async () => {
    await processOf(1).mark(id, 70);
    alive.delete(1);
    const later = processOf(2);
    expect(await later.takeOrphaned()).toEqual([{ sessionId: id, since: 70 }]);
    expect(await later.takeOrphaned()).toEqual([]);
    expect(await readdir(join(folder, 'open'))).toEqual([]);
  });

  it('of several processes that look at once, one takes it', async () => {
    await processOf(1).mark(id, 70);
    alive.delete(1);
    const taken = await Promise.all([processOf(2), processOf(3)].map((each) => each.takeOrphaned()));
    expect(taken.flat()).toEqual([{ sessionId: id, since: 70 }]);
  });

  it('what a living window has open is left alone', async () => {
    await processOf(1).mark(id, 70);
    await processOf(2).mark(id, 80);
    alive.delete(1);
    const later = processOf(3);
    expect(await later.takeOrphaned()).toEqual([]);
    expect(await later.isOpenElsewhere(id)).toBe(true);
    expect(await processOf(2).isOpenElsewhere(id)).toBe(false);
  });

  it('a later process with the id of the dead one is not taken for it', async () => {
    await processOf(1).mark(id, 70);
    const again = createOpenSessions({
      ...{ fs: createNodeFileSystem(), log: createInMemoryLog(), pid: 1, folder: join(folder, 'open') },
      owner: createProcessOwner(async () => 'started-later', 1),
    });
    expect(await again.takeOrphaned()).toEqual([{ sessionId: id, since: 70 }]);
  });

  it('what ended is not orphaned', async () => {
    const marks = processOf(1);
    void marks.mark(id, 70);
    await marks.mark(other, 71);
    await marks.release(id);
    alive.delete(1);
    expect(await processOf(2).takeOrphaned()).toEqual([{ sessionId: other, since: 71 }]);
  });

  it('a claim whose holder died is free for the start after the next', async () => {
    await processOf(1).mark(id, 70);
    const name = (await readdir(join(folder, 'open')))[0] ?? '';
    await writeFile(join(folder, 'open', `${name}.claim`), '9 started-9');
    alive.delete(1);
    const later = processOf(2);
    expect(await later.takeOrphaned()).toEqual([]);
    expect(await later.takeOrphaned()).toEqual([{ sessionId: id, since: 70 }]);
  });

  it('finds none where nothing was ever open, nor in files that are no marks', async () => {
    expect(await processOf(1).takeOrphaned()).toEqual([]);
    await processOf(1).mark(id, 70);
    await writeFile(join(folder, 'open', 'x.json'), '{}');
    await writeFile(join(folder, 'open', `${other}.7.json`), '{"owner":7}');
    expect(await processOf(2).takeOrphaned()).toEqual([]);
  });
});
