import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/contracts/diagnostic.ts';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import { createSessionStore } from '../../../src/sessions/sessionStore.ts';
import { isThorough } from '../../builders/isThorough.ts';
import { startProcess } from '../memoryCrash/startProcess.ts';

const kills = isThorough ? 12 : 3;

let root: string;
let cache: string;
beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), 'pincer-compiled-'));
});
afterAll(() => rm(cache, { recursive: true, force: true }));
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-kill-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** The numbers that a start after the crash finds, in their order. */
async function findNumbers(
  folder: string,
  id: string,
): Promise<{ readonly numbers: readonly number[]; readonly reported: readonly Diagnostic[] }> {
  const reported: Diagnostic[] = [];
  const log = createInMemoryLog();
  const sessions = createSessionStore({
    ...{ fs: createNodeFileSystem(), clock: systemClock, log, folder, channel: 'cli' },
    report: (diagnostic) => void reported.push(diagnostic),
  });
  const session = await sessions.open(id);
  // What a crash has cut off is no damage.
  expect(log.lines).toEqual([]);
  const numbers = (session?.messages() ?? []).map(({ timestamp }) => timestamp);
  return { numbers, reported };
}

it(`whatever was acknowledged is there after each of ${kills} kills, in its order, and the next process goes on`, async () => {
  let id = '';
  let next = 0;
  for (let round = 0; round < kills; round += 1) {
    const child = startProcess(cache, '../sessionCrash/appendAndDie.ts', [root, id, String(next)]);
    id = (await child.next()) ?? '';
    const first = await child.next();
    await setTimeout((round * 7) % 41);
    const told = [first, ...(await child.killed('now'))].map(Number);
    const { numbers } = await findNumbers(root, id);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers).toEqual(expect.arrayContaining(told));
    expect((await findNumbers(root, id)).reported).toEqual([]);
    next = (numbers.at(-1) ?? -1) + 1;
  }
  // Each process was killed after it had told of a message at least.
  expect(next).toBeGreaterThanOrEqual(kills);
});
