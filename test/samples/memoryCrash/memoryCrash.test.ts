import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { nodeProcessTimes } from '../../../src/host/node/nodeProcessTimes.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import { createProcessOwner } from '../../../src/host/processOwner.ts';
import { createGenerationWatch } from '../../../src/memory/store/database.ts';
import { createWriterLock, type WriterLock } from '../../../src/host/createWriterLock.ts';
import { isThorough } from '../../builders/isThorough.ts';
import { contentAt, contentOf, indexFile, openIndex } from './generations.ts';
import { startProcess, type TestProcess } from './startProcess.ts';

/** In each of two lanes. */
const kills = isThorough ? 25 : 3;
const generations = isThorough ? 10 : 3;
const races = isThorough ? 50 : 5;

let root: string;
let cache: string;
const started: TestProcess[] = [];
beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), 'pincer-compiled-'));
});
afterAll(() => rm(cache, { recursive: true, force: true }));
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-index-'));
});
afterEach(async () => {
  for (const each of started.splice(0)) await each.killed('now');
  await rm(root, { recursive: true, force: true });
});

function keepIndex(world: string, seed: string, killAt?: number): TestProcess {
  return startProcess(cache, 'indexAndDie.ts', [world, seed, String(killAt ?? '')]);
}

/** By turns between two steps, in the middle of a save, and (undefined) at any moment. */
function pointOf(round: number): number | undefined {
  if (round % 3 === 2) return undefined;
  return round % 3 === 0 ? 1 + ((round * 7) % 23) : ((round * 7) % 19) / 20 + 0.02;
}

function generationOf(line: string | undefined): number {
  return Number(line?.split(' ')[1] ?? 0);
}

/** What a start after a crash finds: the last generation that was told of or the one after it, as a whole. */
async function expectWhole(world: string, seed: string, told: number): Promise<number> {
  const { store, state, problem } = await openIndex(world);
  expect(problem).toBeUndefined();
  expect(state).toBe(store.generation === 0 ? 'new' : 'loaded');
  expect([told, told + 1]).toContain(store.generation);
  expect(contentOf(store)).toEqual(contentAt(seed, store.generation));
  const { generation } = store;
  store.close();
  return generation;
}

it(`the index is whole after each of ${2 * kills} kills, while indexing as while saving, and the next process goes on with it`, async () => {
  const reached: number[] = [];
  const kill = async (world: string, seed: string, round: number, before: number): Promise<number> => {
    const killAt = pointOf(round);
    const child = keepIndex(world, seed, killAt);
    const first = killAt === undefined ? await child.next() : undefined;
    if (killAt === undefined) await setTimeout((round * 13) % 41);
    const lines = [first, ...(await child.killed(killAt === undefined ? 'now' : 'by itself'))];
    const told = Math.max(before, generationOf(lines.at(-1)));
    return await expectWhole(world, seed, told);
  };
  const lane = async (seed: string): Promise<void> => {
    let generation = 0;
    for (let round = 0; round < kills; round += 1)
      generation = await kill(join(root, seed), seed, round, generation);
    reached.push(generation);
  };
  await Promise.all([lane('one'), lane('two')]);
  // Every third process comes as far as its third save.
  expect(Math.min(...reached)).toBeGreaterThanOrEqual(2 * Math.floor(kills / 3));
});

it('one who reads sees generation after generation of another process, each of them whole', async () => {
  const seed = 'reader';
  const child = keepIndex(root, seed);
  started.push(child);
  const watch = createGenerationWatch({ fs: createNodeFileSystem(), file: indexFile(root) });
  await watch.mark();
  const seen = new Set<number>();
  while (seen.size < generations) {
    await child.next();
    if (!(await watch.hasMoved())) continue;
    await watch.mark();
    const { store, state } = await openIndex(root);
    expect(state).toBe('loaded');
    expect(contentOf(store)).toEqual(contentAt(seed, store.generation));
    expect(Math.max(0, ...seen)).toBeLessThanOrEqual(store.generation);
    seen.add(store.generation);
    store.close();
  }
});

function ownLock(folder: string): WriterLock {
  const owner = createProcessOwner(nodeProcessTimes(), process.pid);
  return createWriterLock({ fs: createNodeFileSystem(), owner, folder, clock: systemClock });
}

it('while one process keeps the index no other may, and after its death another does', async () => {
  const child = keepIndex(root, 'lock');
  await child.next();
  const folder = dirname(indexFile(root));
  expect(await ownLock(folder).tryAcquire()).toBe(false);
  await child.killed('now');
  expect(await ownLock(folder).tryAcquire()).toBe(true);
});

it('a process whose lock was taken from it stops writing', async () => {
  const child = keepIndex(root, 'lost');
  await child.next();
  const folder = dirname(indexFile(root));
  const last = (await readdir(folder)).filter((name) => name.endsWith('.lock')).length;
  await createNodeFileSystem().createFile(join(folder, `writer-${last + 1}.lock`), '{}');
  await expect(child.killed('by itself')).rejects.toThrow('It ended by itself (0): ');
});

it(`of several processes that race for the lock of a dead one exactly one gets it, ${races} times over`, async () => {
  const dead = startProcess(cache, 'raceForLock.ts');
  const deadId = await dead.next();
  await dead.killed('now');
  const racers = Array.from({ length: 4 }, () => startProcess(cache, 'raceForLock.ts'));
  started.push(...racers);
  await Promise.all(racers.map((racer) => racer.next()));
  const holder = JSON.stringify({ owner: deadId, instance: 'x' });
  for (let round = 0; round < races; round += 1) {
    const folder = join(root, String(round));
    await mkdir(folder);
    await createNodeFileSystem().createFile(join(folder, 'writer-1.lock'), holder);
    for (const racer of racers) racer.tell(folder);
    const got = await Promise.all(racers.map((racer) => racer.next()));
    expect(got.filter((answer) => answer === 'true')).toHaveLength(1);
  }
});
