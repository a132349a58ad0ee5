import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ScheduleConfig } from '../config/sections/scheduleSection.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createManualClock, type ManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createProcessOwner } from '../host/processOwner.ts';
import { createSchedule } from './createSchedule.ts';
import type { Job } from './job.ts';
import { createJobStore } from './jobStore.ts';
import type { JobEvent, JobInput, Schedule, ScheduleDeps } from './schedule.ts';
import { until } from '../../test/builders/until.ts';

const minute = 60_000;
const config: ScheduleConfig = {
  enabled: true,
  questions: 'review',
  limits: { maxTokens: 1, maxCost: 1, maxMs: 1 },
  heartbeat: undefined,
};

let folder = '';
let clock: ManualClock;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-schedule-'));
  clock = createManualClock(Date.parse('2026-11-26T10:00:00Z'));
});
const opened: Schedule[] = [];
/** Turns that go on until they are ended, by the name of their job. */
const slowTurns = new Map<string, () => void>();
afterEach(async () => {
  for (const schedule of opened) schedule.stop();
  for (const end of slowTurns.values()) end();
  slowTurns.clear();
  for (const schedule of opened.splice(0)) await schedule.settled();
  await rm(folder, { recursive: true, force: true });
});

/** A timer that was set after the clock had gone past its time comes due here, as it would by itself on a real clock. */
const dueSoon = (check: () => unknown): Promise<unknown> =>
  until(() => {
    clock.advance(0);
    return check();
  });

interface World {
  readonly schedule: Schedule;
  /** Names of jobs in the order in which their turns began. */
  readonly ran: string[];
  readonly told: Diagnostic[];
  readonly events: JobEvent[];
}

/** One window: processes that live are those in `alive`. */
function openWindow(
  pid: number,
  more: Partial<ScheduleDeps> = {},
  alive: ReadonlySet<number> = new Set([pid]),
): World {
  const ran: string[] = [];
  const told: Diagnostic[] = [];
  const events: JobEvent[] = [];
  const owner = createProcessOwner(
    (asked) => Promise.resolve(alive.has(asked) || asked === pid ? 'start' : undefined),
    pid,
  );
  const report = (diagnostic: Diagnostic): void => void told.push(diagnostic);
  const schedule = createSchedule({
    clock,
    log: createInMemoryLog(),
    store: createJobStore({ fs: createNodeFileSystem(), clock, owner, folder, report }),
    config: () => config,
    blocked: () => undefined,
    runTurn({ name }: Job) {
      ran.push(name);
      return Promise.resolve({ status: 'ok' });
    },
    report,
    ...more,
  });
  opened.push(schedule);
  schedule.onDidHappen((event) => void events.push(event));
  return { schedule, ran, told, events };
}

const jobInput = (more: Partial<JobInput> = {}): JobInput => ({
  name: 'tidy',
  prompt: 'Tidy up.',
  when: { every: '10m' },
  ...more,
});
const byUser = { kind: 'user' } as const;
/** Runs of all jobs, the oldest first. */
const outcomes = async ({ schedule }: World): Promise<readonly unknown[]> => {
  const all = await Promise.all((await schedule.list()).map(({ job }) => schedule.history(job.id)));
  return all
    .flat()
    .reverse()
    .map(({ status, missed = 0 }) => [status, missed]);
};

it('runs a job each time that it is due, and says what came of it', async () => {
  const world = openWindow(1);
  const { id } = await world.schedule.add(jobInput(), byUser);
  await world.schedule.start();
  for (const times of [1, 2]) {
    await dueSoon(() => clock.advance(minute));
    clock.advance(9 * minute);
    await dueSoon(() => expect(world.ran).toHaveLength(times));
    await dueSoon(async () => expect((await world.schedule.get(id)).running).toBeUndefined());
  }
  expect(await outcomes(world)).toEqual([
    ['ok', 0],
    ['ok', 0],
  ]);
  await until(() =>
    expect(world.events.map(({ action }) => action)).toEqual([
      ...['added', 'started', 'finished', 'scheduled'],
      ...['started', 'finished', 'scheduled'],
    ]),
  );
});

it('three jobs work at one time; one that waits for an answer gives its place to the next, which waits for it till then', async () => {
  const ports = new Map<string, Parameters<ScheduleDeps['runTurn']>[2]>();
  const ends: (() => void)[] = [];
  const world = openWindow(1, {
    runTurn: ({ name }, _last, port) => {
      ports.set(name, port);
      return new Promise((resolve) => ends.push(() => resolve({ status: 'ok' })));
    },
  });
  for (let number = 1; number <= 5; number += 1)
    await world.schedule.add(jobInput({ name: `job ${number}` }), byUser);
  const queued = async (): Promise<readonly string[]> =>
    (await world.schedule.list()).filter((each) => each.waitsForPlace).map(({ job }) => job.name);
  clock.advance(10 * minute);
  await world.schedule.start();
  await dueSoon(async () => expect(await queued()).toHaveLength(2));
  expect(ports.size).toBe(3);
  const [first] = ports.values();
  first?.waits();
  await dueSoon(() => expect(ports.size).toBe(4));
  await dueSoon(async () => expect(await queued()).toHaveLength(1));
  // The one that has its answer goes on once it has a place again, and before the one that has not begun.
  let goesOn = false;
  void first?.goesOn().then(() => (goesOn = true));
  const stands = async ({ schedule }: World): Promise<unknown> => {
    const state = (await schedule.list()).find(({ job }) => job.name === [...ports.keys()][0]);
    return [state?.waitsForPlace, state?.running?.waitsFor];
  };
  await dueSoon(async () => expect(await stands(world)).toEqual([true, 'place']));
  expect(await stands(openWindow(2, {}, new Set([1])))).toEqual([true, 'place']);
  expect(goesOn).toBe(false);
  ends[1]?.();
  await dueSoon(() => expect(goesOn).toBe(true));
  await dueSoon(async () =>
    expect((await world.schedule.list()).filter((each) => each.running)).toHaveLength(3),
  );
  expect(ports.size).toBe(4);
  ends[2]?.();
  await dueSoon(() => expect(ports.size).toBe(5));
  expect(await queued()).toEqual([]);
  for (const end of ends) end();
});

/** A window whose turns are slow ones. */
function openSlowWindow(
  more: Partial<ScheduleDeps> = {},
): World & { readonly ends: ReadonlyMap<string, () => void> } {
  const runTurn: ScheduleDeps['runTurn'] = ({ name }) =>
    new Promise((resolve) => slowTurns.set(name, () => resolve({ status: 'ok' })));
  return { ...openWindow(1, { runTurn, ...more }), ends: slowTurns };
}
/** Jobs that fill the places of a window, which work once this resolves. */
async function fillPlaces({ schedule, ends }: ReturnType<typeof openSlowWindow>): Promise<void> {
  for (const name of ['one', 'two', 'three'])
    await schedule.runNow((await schedule.add(jobInput({ name, when: { every: '7d' } }), byUser)).id);
  await dueSoon(() => expect(ends.size).toBe(3));
}

it('a job that a person starts while three work waits for a place, says so, and begins before one that is due', async () => {
  const world = openSlowWindow();
  const { schedule, ends } = world;
  await fillPlaces(world);
  await schedule.add(jobInput({ name: 'due' }), byUser);
  await schedule.start();
  clock.advance(10 * minute);
  const { id } = await schedule.add(jobInput({ name: 'mine' }), byUser);
  const { run, ended } = await schedule.runNow(id);
  expect(run.waitsFor).toBe('place');
  await dueSoon(async () =>
    expect(await schedule.get(id)).toMatchObject({ waitsForPlace: true, running: { waitsFor: 'place' } }),
  );
  await expect(schedule.runNow(id)).rejects.toMatchObject({ code: 'job_running' });
  await schedule.update(id, { prompt: 'Tidy up twice.' });
  const begins = clock.now() + minute;
  clock.advance(minute);
  ends.get('two')?.();
  await dueSoon(() => expect(ends.has('mine')).toBe(true));
  await dueSoon(async () => expect((await schedule.get(id)).waitsForPlace).toBe(false));
  expect(ends.has('due')).toBe(false);
  ends.get('mine')?.();
  const end = await ended;
  expect(end).toMatchObject({ status: 'ok', startedAt: begins });
  expect(end).not.toHaveProperty('waitsFor');
  await dueSoon(() => expect(ends.has('due')).toBe(true));
});

it.each([
  ['is removed', 'skipped'],
  ['loses its window', 'interrupted'],
] as const)('a job that waits for a place and %s never begins', async (what, status) => {
  const world = openSlowWindow();
  const { schedule, ends } = world;
  await fillPlaces(world);
  const { id } = await schedule.add(jobInput({ name: 'mine' }), byUser);
  const { ended } = await schedule.runNow(id);
  if (what === 'is removed') {
    await schedule.remove(id);
    ends.get('one')?.();
  } else schedule.stop();
  expect(await ended).toMatchObject({ status });
  expect(ends.has('mine')).toBe(false);
});

it('a job that is edited while it waits for a place runs as it is then, which all that is told of the run says', async () => {
  const world = openSlowWindow();
  const { schedule, ends, events } = world;
  await fillPlaces(world);
  const { id } = await schedule.add(jobInput({ name: 'old' }), byUser);
  const { ended } = await schedule.runNow(id);
  await schedule.update(id, { name: 'new', when: { every: '20m' }, deleteAfterRun: true });
  ends.get('one')?.();
  await dueSoon(() => expect(ends.has('new')).toBe(true));
  ends.get('new')?.();
  expect(await ended).toMatchObject({ status: 'ok' });
  const next = clock.now() + 20 * minute;
  expect(
    events.flatMap(({ action, state }) =>
      state.job.id === id ? [[action, state.job.name, state.next]] : [],
    ),
  ).toEqual([
    ['added', 'old', clock.now() + 10 * minute],
    ['updated', 'new', next],
    ['started', 'new', next],
    ['finished', 'new', next],
  ]);
  // A run by hand is beside its times.
  expect((await schedule.get(id)).job.deleteAfterRun).toBe(true);
});

/** Three jobs work while one that skips missed times has just become due. `looked` resolves once the schedule has looked after a step. */
async function openWithSkipping(): Promise<{
  readonly world: ReturnType<typeof openSlowWindow>;
  readonly id: string;
  readonly looked: (step: () => void) => Promise<void>;
}> {
  // Each look ends with a new timer.
  let looks = 0;
  const after: ManualClock['after'] = (ms, call) => {
    looks += 1;
    return clock.after(ms, call);
  };
  const looked = async (step: () => void): Promise<void> => {
    const before = looks;
    step();
    await until(() => expect(looks).toBeGreaterThan(before));
  };
  const world = openSlowWindow({ clock: { ...clock, after } });
  const { id } = await world.schedule.add(jobInput({ name: 'skips', missed: 'skip' }), byUser);
  // A run by hand begins after the looks of the jobs that were added: none is under way at the start.
  await fillPlaces(world);
  await world.schedule.start();
  await until(() => expect(looks).toBe(1));
  await looked(() => clock.advance(10 * minute));
  expect((await world.schedule.get(id)).waitsForPlace).toBe(true);
  return { world, id, looked };
}

it('a job that skips missed times runs where it was due in time and had to wait for a place', async () => {
  const { world, looked } = await openWithSkipping();
  for (let passed = 0; passed < 15; passed += 1) await looked(() => clock.advance(minute));
  world.ends.get('one')?.();
  await until(() => expect(world.ends.has('skips')).toBe(true));
});

it('a job that skips missed times does so, too, where the machine slept while it waited for a place', async () => {
  const { world, id, looked } = await openWithSkipping();
  await looked(() => clock.advance(85 * minute));
  expect((await world.schedule.get(id)).last).toMatchObject({ status: 'skipped', missed: 9 });
  await looked(() => world.ends.get('one')?.());
  expect(world.ends.has('skips')).toBe(false);
});

it('nothing is left of a job that was removed while it ran', async () => {
  const world = openSlowWindow();
  const { schedule, ends } = world;
  const { id } = await schedule.add(jobInput(), byUser);
  const { ended } = await schedule.runNow(id);
  await dueSoon(() => expect(ends.size).toBe(1));
  await schedule.remove(id);
  ends.get('tidy')?.();
  await ended;
  expect(await readdir(join(folder, 'runs'))).toEqual([]);
});

it('a job that ran by a clock which was years ahead goes on by the right one, at its times alone', async () => {
  const world = openWindow(1);
  const now = clock.now();
  const { id } = await world.schedule.add(jobInput(), byUser);
  const ahead = createManualClock(now + 1_000 * 24 * 60 * minute);
  const other = openWindow(1, {
    clock: ahead,
    store: createJobStore({
      fs: createNodeFileSystem(),
      clock: ahead,
      owner: createProcessOwner(() => Promise.resolve('start'), 1),
      folder,
      report: () => undefined,
    }),
  });
  await other.schedule.start();
  await until(() => expect(other.ran).toEqual(['tidy']));
  other.schedule.stop();
  await other.schedule.settled();
  expect((await world.schedule.get(id)).next).toBe(now + 10 * minute);
  await world.schedule.start();
  clock.advance(10 * minute);
  await dueSoon(() => expect(world.ran).toHaveLength(1));
  await world.schedule.settled();
  // So many runs that the oldest go.
  for (let byHand = 0; byHand < 50; byHand += 1) {
    clock.advance(1);
    await (
      await world.schedule.runNow(id)
    ).ended;
  }
  await world.schedule.settled();
  expect(world.ran).toHaveLength(51);
});

it('a process that starts no jobs tells of one that waits for a free place in another process, while that lives', async () => {
  const ends: (() => void)[] = [];
  const alive = new Set([1, 2]);
  const running = openWindow(
    1,
    { runTurn: () => new Promise((resolve) => ends.push(() => resolve({ status: 'ok' }))) },
    alive,
  );
  for (let number = 1; number <= 4; number += 1)
    await running.schedule.add(jobInput({ name: `job ${number}` }), byUser);
  const listing = openWindow(2, {}, alive);
  const waiting = async (): Promise<number> =>
    (await listing.schedule.list()).filter(({ waitsForPlace }) => waitsForPlace).length;
  clock.advance(10 * minute);
  expect(await waiting()).toBe(0);
  await running.schedule.start();
  await dueSoon(() => expect(ends).toHaveLength(3));
  expect(await waiting()).toBe(1);
  alive.delete(1);
  expect(await waiting()).toBe(0);
  alive.add(1);
  ends[0]?.();
  await dueSoon(() => expect(ends).toHaveLength(4));
  expect(await waiting()).toBe(0);
  for (const end of ends) end();
});

it('two windows run each time once between them', async () => {
  const both = new Set([1, 2]);
  const [one, two] = [openWindow(1, {}, both), openWindow(2, {}, both)];
  for (let number = 0; number < 5; number += 1)
    await one.schedule.add(jobInput({ name: `job ${number}` }), byUser);
  clock.advance(10 * minute);
  await Promise.all([one.schedule.start(), two.schedule.start()]);
  await dueSoon(() => expect([...one.ran, ...two.ran]).toHaveLength(5));
  await dueSoon(async () => expect(await outcomes(one)).toEqual(Array(5).fill(['ok', 0])));
  expect([...one.ran, ...two.ran].sort()).toEqual([0, 1, 2, 3, 4].map((number) => `job ${number}`));
});

it('a run whose process died is told and not begun again', async () => {
  const dead = openWindow(1, { runTurn: () => new Promise(() => undefined) });
  const { id } = await dead.schedule.add(jobInput({ when: { at: '10m' } }), byUser);
  await dead.schedule.start();
  clock.advance(10 * minute);
  await dueSoon(async () => expect((await dead.schedule.get(id)).running).toBeDefined());
  dead.schedule.stop();
  // It never ends: nobody waits for it.
  opened.length = 0;
  const next = openWindow(2);
  await next.schedule.start();
  clock.advance(minute);
  await dueSoon(async () => expect(await outcomes(next)).toEqual([['interrupted', 0]]));
  await until(() => expect(next.told).toMatchObject([{ code: 'job_cut_off' }]));
  expect(next.ran).toEqual([]);
  expect(await next.schedule.get(id)).toMatchObject({ isDone: true, next: undefined });
});

it.each([
  ['skip', [], [['skipped', 5]]],
  ['once', ['tidy'], [['ok', 4]]],
  ['all', ['tidy', 'tidy', 'tidy', 'tidy', 'tidy'], Array(5).fill(['ok', 0])],
] as const)('missed times follow the rule %s', async (missed, ran, ended) => {
  const world = openWindow(1);
  await world.schedule.add(jobInput({ missed }), byUser);
  clock.advance(55 * minute);
  await world.schedule.start();
  await dueSoon(async () => expect(await outcomes(world)).toEqual(ended));
  expect(world.ran).toEqual(ran);
});

it('what passed while a job was paused is not made up for', async () => {
  const world = openWindow(1);
  const { id } = await world.schedule.add(jobInput(), byUser);
  await world.schedule.update(id, { isEnabled: false });
  await world.schedule.start();
  clock.advance(55 * minute);
  await world.schedule.update(id, { isEnabled: true });
  const { next } = await world.schedule.get(id);
  expect([world.ran, next]).toEqual([[], clock.now() + 5 * minute]);
});

it('a job that runs beside its times keeps them, and does not run twice at once', async () => {
  let end = (): void => undefined;
  const world = openWindow(1, {
    runTurn: () => new Promise((resolve) => (end = () => resolve({ status: 'ok', summary: 'Tidy.' }))),
  });
  const { id } = await world.schedule.add(jobInput(), byUser);
  const before = (await world.schedule.get(id)).next;
  const { ended } = await world.schedule.runNow(id);
  await expect(world.schedule.runNow(id)).rejects.toMatchObject({ code: 'job_running' });
  await dueSoon(() => end());
  await dueSoon(async () => {
    end();
    expect((await world.schedule.history(id))[0]?.status).toBe('ok');
  });
  expect(await ended).toMatchObject({ kind: 'manual', status: 'ok', summary: 'Tidy.' });
  expect((await world.schedule.get(id)).next).toBe(before);
});

it('runs nothing while it is blocked, and says why', async () => {
  const world = openWindow(1, { blocked: () => 'the workspace is not trusted' });
  const { id } = await world.schedule.add(jobInput(), byUser);
  await world.schedule.start();
  clock.advance(10 * minute);
  await expect(world.schedule.runNow(id)).rejects.toThrow('not trusted');
  expect(await outcomes(world)).toEqual([]);
});

it('a one-shot job goes after it ran well, where that was wished for, and stays after a failure', async () => {
  let fails = true;
  const world = openWindow(1, {
    runTurn: () => (fails ? Promise.reject(new Error('no model')) : Promise.resolve({ status: 'ok' })),
  });
  await world.schedule.start();
  const first = await world.schedule.add(jobInput({ when: { at: '10m' }, deleteAfterRun: true }), byUser);
  clock.advance(10 * minute);
  await dueSoon(async () => expect((await world.schedule.get(first.id)).last?.error).toBe('no model'));
  fails = false;
  const second = await world.schedule.add(jobInput({ when: { at: '10m' }, deleteAfterRun: true }), byUser);
  clock.advance(10 * minute);
  await dueSoon(() => expect(world.events.at(-1)).toMatchObject({ action: 'removed' }));
  await expect(world.schedule.get(second.id)).rejects.toMatchObject({ code: 'job_unknown' });
});

it('refuses what can never be, or comes too often, and more jobs of a plugin than it may have', async () => {
  const { schedule } = openWindow(1);
  await expect(schedule.add(jobInput({ when: { cron: '* * * * * *' } }), byUser)).rejects.toThrow(
    'once a minute',
  );
  await expect(schedule.add(jobInput({ when: { cron: '0 0 30 2 *' } }), byUser)).rejects.toThrow(
    'never comes',
  );
  await expect(schedule.add(jobInput({ prompt: ' ' }), byUser)).rejects.toThrow('prompt is empty');
  const plugin = { kind: 'plugin', pluginId: 'p' } as const;
  for (let number = 0; number < 20; number += 1) await schedule.add(jobInput(), plugin);
  await expect(schedule.add(jobInput(), plugin)).rejects.toMatchObject({ code: 'job_too_many' });
});

it('refuses seconds that lie close together, also while the first of them has passed', async () => {
  const { schedule } = openWindow(1);
  clock.advance(10_000);
  await expect(schedule.add(jobInput({ when: { cron: '0,30 0 * * * *' } }), byUser)).rejects.toThrow(
    'once a minute',
  );
  const { id } = await schedule.add(jobInput({ when: { cron: '30 0 * * * *' } }), byUser);
  await expect(schedule.update(id, { when: { cron: '0-30 0 * * * *' } })).rejects.toThrow('once a minute');
});

it('takes the longest prompt of any characters, and no job that could not be read again', async () => {
  const { schedule, told } = openWindow(1);
  await schedule.add(jobInput({ prompt: '\u0001'.repeat(20_000) }), byUser);
  const plugin = { kind: 'plugin', pluginId: 'p' } as const;
  await expect(
    schedule.add(jobInput(), { ...plugin, declarationKey: 'x'.repeat(300_000) }),
  ).rejects.toMatchObject({ code: 'job_invalid' });
  await expect(schedule.add(jobInput({ limits: { maxTokens: 0.5 } }), byUser)).rejects.toMatchObject({
    code: 'job_invalid',
  });
  expect(await schedule.list()).toHaveLength(1);
  expect(told).toEqual([]);
});

it('a file that can not be read is told once, and the other jobs run', async () => {
  const world = openWindow(1);
  await world.schedule.add(jobInput({ when: { at: '10m' } }), byUser);
  await writeFile(join(folder, 'jobs', 'broken.json'), '{');
  await world.schedule.start();
  clock.advance(10 * minute);
  await dueSoon(() => expect(world.ran).toEqual(['tidy']));
  expect(world.told.map(({ code }) => code)).toEqual(['state_unreadable']);
});

it('keeps the last fifty runs of a job', async () => {
  const world = openWindow(1);
  const { id } = await world.schedule.add(jobInput({ missed: 'all' }), byUser);
  await world.schedule.start();
  for (let round = 0; round < 4; round += 1) {
    clock.advance(150 * minute);
    await dueSoon(() => expect(world.ran).toHaveLength((round + 1) * 15));
  }
  await dueSoon(async () => expect(await readdir(join(folder, 'runs', id))).toHaveLength(50));
});
