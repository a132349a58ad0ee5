import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/contracts/diagnostic.ts';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { createManualClock, type ManualClock } from '../../builders/manualClock.ts';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import type { JobRun } from '../../../src/schedule/job.ts';
import { isThorough } from '../../builders/isThorough.ts';
import { startProcess } from '../memoryCrash/startProcess.ts';
import { openKilledSchedule } from './openKilledSchedule.ts';
import { until } from '../../builders/until.ts';

const kills = isThorough ? 100 : 4;
/** A window changes the disk about so often in three runs. */
const points = 45;
const day = 86_400_000;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-kill-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

function openWindow(clock: ManualClock) {
  const told: Diagnostic[] = [];
  const ran: string[] = [];
  const { schedule } = openKilledSchedule({
    folder: root,
    clock,
    fs: createNodeFileSystem(),
    log: createInMemoryLog(),
    report: (diagnostic) => void told.push(diagnostic),
    runTurn({ name }) {
      ran.push(name);
      return Promise.resolve({ status: 'ok' });
    },
  });
  return { schedule, told, ran };
}

it(`no job runs twice in ${kills} kills at every moment of a schedule, and what was cut off is told, not repeated`, async () => {
  const begin = Date.parse('2026-11-26T10:00:00Z');
  const cutOff = new Map<number, JobRun>();
  let now = begin;
  for (let round = 0; round < kills; round += 1) {
    // Each moment once, from inside; and between two of them, from outside.
    const isFromInside = round % 2 === 0;
    const killAt = isFromInside ? 1 + ((round * 7) % points) : 0;
    const child = startProcess(join(root, 'compiled'), '../scheduleCrash/runAndDie.ts', [
      root,
      String(now),
      String(killAt),
    ]);
    if (isFromInside) await child.killed('by itself');
    else {
      await child.next();
      await setTimeout((round * 7) % 41);
      await child.killed('now');
    }
    const { schedule } = openWindow(createManualClock(now));
    for (const { job } of await schedule.list())
      for (const run of await schedule.history(job.id))
        if (run.status === undefined) cutOff.set(run.slot, run);
    schedule.dispose();
    now += day;
  }
  const done = (await readFile(join(root, 'done.txt'), 'utf8')).trim().split('\n').map(Number);
  expect(new Set(done).size).toBe(done.length);
  expect(done.every((slot) => Number.isSafeInteger(slot))).toBe(true);

  // The next window tells what is left, and goes on with the next time alone.
  const clock = createManualClock(now);
  const { schedule, told, ran } = openWindow(clock);
  const before = await allRuns(schedule);
  await schedule.start();
  const left = before.filter(({ status }) => status === undefined);
  expect(told.filter(({ code }) => code === 'job_cut_off')).toHaveLength(left.length);
  await until(() => expect(ran).toHaveLength(1));
  await schedule.settled();
  const after = await allRuns(schedule);
  expect(after.filter(({ status }) => status === undefined)).toEqual([]);
  const ends = after.filter(({ slot }) => cutOff.has(slot)).map(({ status }) => status);
  expect(ends.filter((status) => status !== 'interrupted')).toEqual([]);
  expect(cutOff.size).toBeGreaterThan(0);
  schedule.dispose();
});

async function allRuns(schedule: ReturnType<typeof openWindow>['schedule']): Promise<readonly JobRun[]> {
  const runs = (await schedule.list()).map(({ job }) => schedule.history(job.id));
  return (await Promise.all(runs)).flat();
}
