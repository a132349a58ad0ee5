import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { findsJobs, wakeForJobs } from './wakeForJobs.ts';
import { until } from '../../../test/builders/until.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-wake-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function wake(hasJobs: () => Promise<boolean>) {
  const clock = createManualClock();
  const asked = vi.fn(hasJobs);
  const load = vi.fn(() => Promise.resolve());
  let isLoaded = false;
  const end = wakeForJobs({
    after: (ms, run) => clock.after(ms, run),
    hasJobs: asked,
    isLoaded: () => isLoaded,
    load,
    failed(error) {
      throw error;
    },
  });
  return { clock, asked, load, end, loaded: () => (isLoaded = true) };
}

it('a job that a terminal adds wakes a window that has not loaded the runtime, once', async () => {
  const jobs = join(folder, 'schedule', 'jobs');
  const { clock, asked, load } = wake(() => findsJobs(jobs, join(folder, 'config.json')));
  await until(() => expect(asked.mock.settledResults).toHaveLength(1));
  expect(load).not.toHaveBeenCalled();
  await mkdir(jobs, { recursive: true });
  await writeFile(join(jobs, 'a.json'), '{}');
  await until(() => {
    clock.advance(60_000);
    expect(load).toHaveBeenCalledTimes(1);
  });
  const looks = asked.mock.calls.length;
  clock.advance(600_000);
  expect(asked).toHaveBeenCalledTimes(looks);
});

it('nobody looks any more once the runtime is loaded, or the window has closed', async () => {
  const [one, two] = [wake(() => Promise.resolve(false)), wake(() => Promise.resolve(false))];
  await until(() => {
    expect([one.asked.mock.settledResults.length, two.asked.mock.settledResults.length]).toEqual([1, 1]);
  });
  one.loaded();
  two.end();
  one.clock.advance(120_000);
  two.clock.advance(120_000);
  expect([one.asked.mock.calls.length, two.asked.mock.calls.length]).toEqual([1, 1]);
});

it('a heartbeat of the config counts as a job, in a workspace that was not used before', async () => {
  const config = join(folder, 'config.json');
  const finds = async (text: string): Promise<boolean> => {
    await writeFile(config, text);
    return await findsJobs(join(folder, 'none'), config);
  };
  expect(await finds('{ "schedule": { "heartbeat": { "everyMinutes": 30 } } }')).toBe(true);
  expect(await finds('{ schedule: { heartbeat: { everyMinutes: 30 } } }')).toBe(true);
  expect(await finds('{ "schedule": { "enabled": true } }')).toBe(false);
});
