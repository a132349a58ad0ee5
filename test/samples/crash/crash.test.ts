import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/contracts/diagnostic.ts';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { isThorough } from '../../builders/isThorough.ts';
import { after, before, openCrashWorld } from './crashSetup.ts';

type Files = Readonly<Record<string, string>>;
type Work = 'changeSeveral' | 'editInTurn' | 'recover';

const wherever = isThorough ? 'wherever' : 'where half is done when';

let root: string;
/** Where processes keep for one another what they have compiled: most of a start's time. */
let cache: string;
beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), 'pincer-compiled-'));
});
afterAll(() => rm(cache, { recursive: true, force: true }));
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-crash-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Does `work` in a process of its own that is killed at the `killAt`th point (0: at none); gives the points that it reached. */
async function workAndDie(world: string, work: Work, killAt: number): Promise<readonly string[]> {
  const script = join(import.meta.dirname, 'changeAndDie.ts');
  const args = ['--no-warnings', script, world, work, String(killAt)];
  return await new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_COMPILE_CACHE: cache };
    execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
      if (error !== null && error.signal !== 'SIGKILL') reject(new Error(stderr, { cause: error }));
      else resolve(stdout.trim().split('\n'));
    });
  });
}

async function makeWorld(name: string): Promise<string> {
  const world = join(root, name);
  for (const folder of ['workspace', 'home', 'dist/plugins'])
    await mkdir(join(world, folder), { recursive: true });
  for (const [path, text] of Object.entries(before)) await writeFile(join(world, 'workspace', path), text);
  return world;
}

/** The records name absolute paths. */
async function copyWorld(from: string, to: string): Promise<string> {
  await cp(from, to, { recursive: true });
  const turns = join(to, 'state/checkpoints/turns');
  for (const name of await readdir(turns)) {
    const text = await readFile(join(turns, name), 'utf8');
    await writeFile(join(turns, name), text.replaceAll(from, to));
  }
  return to;
}

/** Every file of the workspace, whatever it is called; folders only where they are empty. */
async function filesOf(world: string): Promise<Files> {
  const workspace = join(world, 'workspace');
  const entries = await readdir(workspace, { recursive: true, withFileTypes: true });
  const empty = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((folder) => entries.every((entry) => entry.parentPath !== folder))
    .map((folder) => [`${relative(workspace, folder)}/`, ''] as const);
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  const texts = paths.map(async (path) => [relative(workspace, path), await readFile(path, 'utf8')] as const);
  return Object.fromEntries([...empty, ...(await Promise.all(texts))]);
}

async function recover(world: string): Promise<readonly Diagnostic[]> {
  return await openCrashWorld(world, createNodeFileSystem()).checkpoints.recover();
}

/** Does the work to its end, then kills it at its points, two at a time; gives the points. */
async function killAtPoints(
  work: Work,
  prepare: (name: string) => Promise<string>,
  check: (world: string, lastPoint: string) => Promise<void>,
): Promise<readonly string[]> {
  const workAndCheck = async (killAt: number): Promise<readonly string[]> => {
    const world = await prepare(`${work}-${String(killAt)}`);
    const points = await workAndDie(world, work, killAt);
    await check(world, points.at(-1) ?? '');
    return points;
  };
  const points = await workAndCheck(0);
  const waiting = [...points.keys()].filter((index) => isThorough || isSampled(points, index));
  const lane = async (): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift())
      await workAndCheck(index + 1);
  };
  await Promise.all([lane(), lane()]);
  return points;
}

/** When most is half done: before the last file is put into place and before the last one is removed, and while somebody is asked. */
function isSampled(points: readonly string[], index: number): boolean {
  const isLast = (call: string): boolean => points.findLastIndex((point) => point.startsWith(call)) === index;
  return isLast('commit ') || isLast('remove ') || points[index] === 'the question is shown';
}

async function expectWhole(world: string, whole: readonly Files[], lastPoint: string): Promise<void> {
  const told = await recover(world);
  expect(whole, `killed at: ${lastPoint}`).toContainEqual(await filesOf(world));
  expect(told.filter(({ level }) => level !== 'info')).toEqual([]);
  expect(await recover(world)).toEqual([]);
}

it(`a change of several files is there as a whole or not at all, ${wherever} the process is killed`, async () => {
  const ends = new Set<string>();
  const points = await killAtPoints('changeSeveral', makeWorld, async (world, lastPoint) => {
    await expectWhole(world, [before, after], lastPoint);
    ends.add(JSON.stringify(await filesOf(world)));
  });
  const kinds = points.map((point) => point.split(' ')[0]);
  expect(kinds.filter((kind) => kind === 'commit')).toHaveLength(3);
  expect(new Set(kinds)).toEqual(new Set(['write', 'stage', 'commit', 'remove', 'discard', 'append', 'the']));
  // Both happen: early deaths take it back, late ones complete it.
  expect(ends.size).toBe(2);
});

it(`an edit in a turn is made or not, ${wherever} the process is killed between preview, approval and write`, async () => {
  const edited = { ...before, 'a.md': after['a.md'] ?? '' };
  const points = await killAtPoints('editInTurn', makeWorld, async (world, lastPoint) => {
    await expectWhole(world, [before, edited], lastPoint);
    // Nothing may have happened before somebody allowed it.
    if (lastPoint === 'the question is shown') expect(await filesOf(world)).toEqual(before);
  });
  const order = [
    'the question is shown',
    'the answer is given',
    'commit /workspace/a.md',
    'the turn is over',
  ];
  expect(points.filter((point) => order.includes(point))).toEqual(order);
});

it(`cleaning up can itself be killed ${isThorough ? 'anywhere' : 'half-way'}, and the next start goes on with it`, async () => {
  const points = await workAndDie(await makeWorld('whole'), 'changeSeveral', 0);
  const half = await makeWorld('half');
  await workAndDie(half, 'changeSeveral', points.findIndex((point) => point.startsWith('remove')) + 1);
  expect([before, after]).not.toContainEqual(await filesOf(half));
  const prepare = async (name: string): Promise<string> => await copyWorld(half, join(root, name));
  const reached = await killAtPoints('recover', prepare, async (world, lastPoint) => {
    await expectWhole(world, [before], lastPoint);
  });
  expect(reached.filter((point) => point.startsWith('commit')).length).toBeGreaterThan(1);
});
