import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { join } from 'node:path';
import { createManualClock, type ManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createNodeProcesses } from '../host/node/nodeProcesses.ts';
import { createJobId } from './createJobId.ts';
import { createJobs, type Jobs, type JobsDeps } from './createJobs.ts';
import { createLocalExec } from './createLocalExec.ts';
import type { ExecOperations } from './execOperations.ts';
import type { Job } from './backgroundJob.ts';

const processes = createNodeProcesses();
let folder: string;
let clock: ManualClock;
let jobs: Jobs;
let operations: ExecOperations;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-jobs-')));
  open();
});
afterEach(async () => {
  await close();
  await rm(folder, { recursive: true });
});

function open(parts: Partial<JobsDeps> = {}): void {
  clock = createManualClock(1_000_000);
  jobs = createJobs({ clock, ...parts });
  const fs = createNodeFileSystem();
  operations = createLocalExec({ processes, fs, clock, platform: process.platform, systemRoot: '' });
}

async function close(): Promise<void> {
  const closed = jobs.close();
  clock.advance(2_000);
  await closed;
}

function start(
  command: string,
  parts: { readonly sessionId?: string; readonly timeoutMs?: number; readonly hasInput?: boolean } = {},
): Promise<Job> {
  const { sessionId = 'main', timeoutMs = 60_000, hasInput = false } = parts;
  const env = { PATH: process.env['PATH'] ?? '' };
  return jobs.start(
    operations,
    { command, shell: 'bash', workdir: folder, env, hasInput },
    { sessionId, timeoutMs },
  );
}

/** Resolves once all output of the job contains `wanted`. */
async function said(job: Job, wanted: string): Promise<void> {
  if (job.output().text.includes(wanted)) return;
  await new Promise<void>((resolve) => {
    const listener = job.onOutput(() => {
      if (!job.output().text.includes(wanted)) return;
      listener.dispose();
      resolve();
    });
  });
}

describe.skipIf(process.platform === 'win32')('jobs', () => {
  test('a job tells what it is, what it said and how it ended', async () => {
    const job = await start('echo out; echo err >&2; exit 4');
    expect(job).toMatchObject({
      sessionId: 'main',
      host: 'local',
      workdir: folder,
      withoutShell: false,
      startedAt: 1_000_000,
    });
    expect(job.id).toMatch(/^[a-z]+-[a-z]+$/u);
    expect(await job.ended).toMatchObject({ code: 4, signal: undefined, cause: 'itself' });
    expect(job.output().text.split('\n').sort()).toEqual(['', 'err', 'out']);
    expect(job.end()).toMatchObject({ code: 4 });
  });

  test('characters and colours that arrive in pieces are whole; the terminal gets the colours, the text does not', async () => {
    const job = await start(
      "printf '\\346\\227'; sleep 0.02; printf '\\245\\033[3'; sleep 0.02; printf '1mred'",
    );
    let raw = '';
    job.onOutput((piece) => (raw += piece));
    await job.ended;
    expect(job.output().text).toBe('日red');
    expect(job.rawOutput()).toBe('日\u001B[31mred');
    expect(job.rawOutput().endsWith(raw)).toBe(true);
  });

  test('a look gives what came since the last one', async () => {
    const job = await start('echo one; read -r _; echo two', { hasInput: true });
    await said(job, 'one');
    expect(job.takeNews()).toEqual({ text: 'one\n', skipped: 0 });
    expect(job.takeNews()).toEqual({ text: '', skipped: 0 });
    await job.write('go\n');
    await job.ended;
    expect(job.takeNews()).toEqual({ text: 'two\n', skipped: 0 });
  });

  test('a look gives at most the last 30,000 characters and says what it left out', async () => {
    const job = await start("head -c 50000 /dev/zero | tr '\\0' x; echo end");
    await job.ended;
    const { text, skipped } = job.takeNews();
    expect([text.length, skipped]).toEqual([30_000, 20_004]);
    expect(text.endsWith('xend\n')).toBe(true);
  });

  test('of much output the first and the last are kept, within 200,000 characters', async () => {
    const job = await start("echo begin; head -c 900000 /dev/zero | tr '\\0' x; echo end");
    await job.ended;
    const { text, head, total, dropped } = job.output();
    expect([text.length, total, dropped]).toEqual([200_000, 900_010, 700_010]);
    expect(head.startsWith('begin\nx')).toBe(true);
    expect(head.length).toBe(20_000);
    expect(text.endsWith('xend\n')).toBe(true);
  });

  test('input reaches it until it is ended', async () => {
    const job = await start('cat; echo done', { hasInput: true });
    await job.write('hello\n');
    await said(job, 'hello');
    job.endInput();
    expect(await job.ended).toMatchObject({ code: 0 });
    expect(job.output().text).toBe('hello\ndone\n');
    await expect(job.write('x')).rejects.toMatchObject({ code: 'process_input_closed' });
  });

  test('a job ends when its time is up', async () => {
    const job = await start('echo up; exec sleep 600', { timeoutMs: 5_000 });
    await said(job, 'up');
    clock.advance(4_999);
    expect(job.end()).toBeUndefined();
    clock.advance(1);
    expect(await job.ended).toMatchObject({ signal: 'SIGTERM', cause: 'timeout', durationMs: 5_000 });
  });

  test('a job that was killed says so', async () => {
    const job = await start('exec sleep 600');
    await job.stop();
    expect(await job.ended).toMatchObject({ signal: 'SIGTERM', cause: 'killed' });
    await job.stop();
  });

  test('a session sees only its own jobs', async () => {
    const mine = await start('true');
    const theirs = await start('true', { sessionId: 'other' });
    expect(jobs.list('main')).toEqual([mine]);
    expect(jobs.list()).toEqual([mine, theirs]);
    expect(jobs.find('main', theirs.id)).toBeUndefined();
    expect(jobs.find('other', theirs.id)).toBe(theirs);
  });

  test('a session that ends takes its jobs with it', async () => {
    const mine = await start('exec sleep 600');
    const theirs = await start('exec sleep 600', { sessionId: 'other' });
    await jobs.endSession('main');
    expect(mine.end()).toMatchObject({ cause: 'killed' });
    expect(jobs.list()).toEqual([theirs]);
    expect(theirs.end()).toBeUndefined();
  });

  test('closing ends everything and waits for it; nothing starts afterwards', async () => {
    const [polite, stubborn] = [
      await start('exec sleep 600'),
      await start("trap '' TERM; echo up; while :; do sleep 0.02; done"),
    ];
    await said(stubborn, 'up');
    const closed = jobs.close();
    clock.advance(2_000);
    await closed;
    expect([polite.end()?.signal, stubborn.end()?.signal]).toEqual(['SIGTERM', 'SIGKILL']);
    await expect(start('true')).rejects.toMatchObject({ code: 'exec_closed' });
  });

  test('what is still being started when everything closes is ended, too', async () => {
    let command: { stop(): Promise<void>; exit: Promise<unknown> } | undefined;
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const slow: ExecOperations = {
      ...operations,
      start: async (request) => {
        await gate;
        return (command = await operations.start(request));
      },
    };
    const env = { PATH: process.env['PATH'] ?? '' };
    const request = {
      command: 'exec sleep 600',
      shell: 'bash' as const,
      workdir: folder,
      env,
      hasInput: false,
    };
    const starting = jobs.start(slow, request, { sessionId: 'main', timeoutMs: 60_000 });
    await jobs.close();
    go();
    await expect(starting).rejects.toMatchObject({ code: 'exec_closed' });
    expect(await command?.exit).toMatchObject({ signal: 'SIGTERM' });
  });

  test('ended jobs are kept for a while, but not many of them', async () => {
    open({ maxEnded: 2, keepMs: 1_000 });
    const all = [];
    for (let at = 0; at < 3; at += 1) {
      const job = await start('true');
      await job.ended;
      all.push(job);
    }
    await expect.poll(() => jobs.list()).toEqual(all.slice(1));
    clock.advance(1_000);
    expect(jobs.list()).toEqual([]);
  });

  test('only so many run at the same time', async () => {
    open({ maxRunning: 2 });
    const first = await start('exec sleep 600');
    await Promise.all([
      expect(Promise.all([start('exec sleep 600'), start('exec sleep 600')])).rejects.toMatchObject({
        code: 'jobs_too_many',
        message: '2 commands run already.',
      }),
    ]);
    await first.stop();
    await start('true');
  });

  test('one that runs is not forgotten, one that ended is', async () => {
    const job = await start('exec sleep 600');
    jobs.forget(job);
    expect(jobs.list()).toEqual([job]);
    await job.stop();
    jobs.forget(job);
    expect(jobs.list()).toEqual([]);
  });

  test('whoever shows jobs learns of start and end', async () => {
    let changes = 0;
    jobs.onDidChange(() => (changes += 1));
    const job = await start('true');
    expect(changes).toBe(1);
    await job.ended;
    await expect.poll(() => changes).toBe(2);
  });
});

test('an id is taken once', () => {
  const taken = new Set<string>();
  for (let at = 0; at < 1_000; at += 1)
    taken.add(
      createJobId(
        (id) => taken.has(id),
        () => 899,
      ),
    );
  expect(taken.size).toBe(1_000);
});
