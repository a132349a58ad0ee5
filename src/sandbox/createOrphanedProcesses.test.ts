import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createNodeProcesses } from '../host/node/nodeProcesses.ts';
import type { Processes, RunningProcess } from '../host/processes.ts';
import { createOrphanedProcesses, type OrphanedProcesses } from './createOrphanedProcesses.ts';

const real = createNodeProcesses();
const env = { PATH: process.env['PATH'] ?? '' };
let path: string;
let clock: ManualClock;
const problems: string[] = [];
const running: RunningProcess[] = [];
const children: ChildProcess[] = [];
/** Leaders that have ended and left something. */
const groups: number[] = [];

beforeEach(async () => {
  path = join(await realpath(await mkdtemp(join(tmpdir(), 'pincer-orphans-'))), 'commands');
  clock = createManualClock();
});
afterEach(async () => {
  for (const each of running.splice(0)) {
    each.kill('SIGKILL');
    await each.exit;
  }
  for (const each of children.splice(0)) each.kill('SIGKILL');
  for (const each of groups.splice(0)) real.killGroup(each, 'SIGKILL');
  await rm(join(path, '..'), { recursive: true });
  expect(problems.splice(0)).toEqual([]);
});

const open = (processes: Processes = real): OrphanedProcesses =>
  createOrphanedProcesses({
    fs: createNodeFileSystem(),
    processes,
    clock,
    path,
    report: (problem) => void problems.push(problem),
  });

async function start(processes: Processes, script = 'exec sleep 600'): Promise<RunningProcess> {
  const started = await processes.start({ file: 'sh', args: ['-c', script], cwd: tmpdir(), env });
  running.push(started);
  return started;
}

/** Reaps while the clock runs on as far as it must. */
async function reap(orphans: OrphanedProcesses): Promise<readonly number[]> {
  let isDone = false;
  const found = orphans.reap().finally(() => (isDone = true));
  await expect
    .poll(() => {
      clock.advance(2_000);
      return isDone;
    })
    .toBe(true);
  return (await found).map(({ pid }) => pid);
}

const lives = async (pid: number): Promise<boolean> => (await real.startTimeOf(pid)) !== undefined;
const files = (): Promise<readonly string[]> => readdir(path).catch(() => []);

async function putNote(name: string, ...lines: readonly object[]): Promise<void> {
  await mkdir(path, { recursive: true });
  await writeFile(join(path, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

describe.skipIf(process.platform === 'win32')('what a window leaves behind', () => {
  test('a running process stands in the file of its window, an ended one does not, and without any there is no file', async () => {
    const orphans = open();
    const first = await start(orphans.processes);
    const second = await start(orphans.processes);
    await orphans.settled();
    const [name = ''] = await files();
    expect(name).toMatch(new RegExp(`^${String(real.ownPid)}-`, 'u'));
    const text = await readFile(join(path, name), 'utf8');
    expect(text).toContain(`"+":${String(first.pid)}`);
    expect(text).toContain(`"+":${String(second.pid)}`);
    for (const each of [first, second]) {
      each.kill('SIGKILL');
      await each.exit;
    }
    await orphans.settled();
    expect(await files()).toEqual([]);
  });

  test('after a kill -9 of a window exactly its processes are ended, with what they started, and no other', async () => {
    const unrelated = await start(real);
    const { child, pids } = await startWindow();
    const dead = pids[0] ?? 0;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
    expect(await Promise.all(pids.map(lives))).toEqual([true, true]);
    expect(await reap(open())).toEqual([dead]);
    for (const pid of pids) await expect.poll(() => lives(pid)).toBe(false);
    expect(await lives(unrelated.pid)).toBe(true);
    expect(await files()).toEqual([]);
  });

  describe.skipIf(process.platform !== 'linux')('whose own process has ended', () => {
    /** A process that has ended and left another one in its group, which holds nothing of it. */
    async function startAndLeave(
      processes: Processes,
      then = 'true',
    ): Promise<{ readonly leader: number; readonly left: number }> {
      const leader = await start(processes, `sleep 600 >/dev/null 2>&1 & echo $!; ${then}`);
      const said = new Promise<string>((resolve) => {
        leader.onOutput((_stream, bytes) => resolve(Buffer.from(bytes).toString()));
      });
      const left = Number(await said);
      await leader.exit;
      groups.push(leader.pid);
      expect(await lives(leader.pid)).toBe(false);
      return { leader: leader.pid, left };
    }

    test.each(['true', 'sleep 0.1'])(
      'is ended when the window closes, and its note is gone (%s)',
      async (then) => {
        const orphans = open();
        const { left } = await startAndLeave(orphans.processes, then);
        await orphans.settled();
        expect(await files()).toHaveLength(1);
        const closed = orphans.close();
        await expect
          .poll(async () => {
            clock.advance(2_000);
            return await lives(left);
          })
          .toBe(false);
        clock.advance(2_000);
        await closed;
        expect(await files()).toEqual([]);
      },
    );

    test('is ended after a kill -9 of the window, too', async () => {
      const { child, pids } = await startWindow('sleep 600 >/dev/null 2>&1 & echo $!; sleep 0.2');
      const [leader = 0, left = 0] = pids;
      await expect.poll(() => lives(leader)).toBe(false);
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
      expect(await lives(left)).toBe(true);
      expect(await reap(open())).toEqual([leader]);
      await expect.poll(() => lives(left)).toBe(false);
    });

    test('is not touched where it does not carry the mark of that window', async () => {
      const { leader, left } = await startAndLeave(real);
      await putNote(
        '1-a.jsonl',
        { owner: 999_999_999, startTime: 'x', window: 'w' },
        { '+': leader, startTime: 'x' },
      );
      expect(await reap(open())).toEqual([]);
      expect(await lives(left)).toBe(true);
    });
  });

  test('a second window leaves the processes of a living one alone', async () => {
    const { pids } = await startWindow();
    const before = await files();
    expect(await reap(open())).toEqual([]);
    expect(await Promise.all(pids.map(lives))).toEqual([true, true]);
    expect(await files()).toEqual(before);
  });

  test('one that only has the number of a noted process is not touched', async () => {
    const stranger = await start(real);
    await putNote(
      '999-a.jsonl',
      { owner: 999_999_999, startTime: 'x', window: 'w' },
      { '+': stranger.pid, startTime: 'earlier' },
    );
    expect(await reap(open())).toEqual([]);
    expect(await lives(stranger.pid)).toBe(true);
    expect(await files()).toEqual([]);
  });

  test('an owner of the same number that started at another time is another window', async () => {
    const left = await start(real);
    const startTime = await left.startTime;
    await putNote(
      '1-a.jsonl',
      { owner: real.ownPid, startTime: 'earlier', window: 'w' },
      { '+': left.pid, startTime },
    );
    expect(await reap(open())).toEqual([left.pid]);
    expect((await left.exit).signal).toBe('SIGTERM');
  });

  test('what does not care to be asked is killed', async () => {
    const left = await start(real, "trap '' TERM; while :; do sleep 0.02; done");
    const startTime = await left.startTime;
    await putNote(
      '1-a.jsonl',
      { owner: 999_999_999, startTime: 'x', window: 'w' },
      { '+': left.pid, startTime },
    );
    expect(await reap(open())).toEqual([left.pid]);
    expect((await left.exit).signal).toMatch(/SIGKILL|SIGTERM/u);
  });

  test('a process that had ended before the crash, a line that was cut off and foreign files count for nothing', async () => {
    const other = await start(real);
    const startTime = await other.startTime;
    await putNote(
      '1-a.jsonl',
      { owner: 999_999_999, startTime: 'x', window: 'w' },
      { '+': other.pid, startTime },
      { '-': other.pid, startTime },
    );
    await writeFile(
      join(path, '2-b.jsonl'),
      `{"owner":999999999,"startTime":"x","window":"w"}\n{"+":${String(other.pid)},"st`,
    );
    await writeFile(join(path, 'notes.txt'), 'mine');
    expect(await reap(open())).toEqual([]);
    expect(await lives(other.pid)).toBe(true);
    expect(await files()).toEqual(['notes.txt']);
  });

  test('a number that would be a whole system or our own group is never signalled', async () => {
    const signalled: number[] = [];
    const processes: Processes = {
      ...real,
      startTimeOf: async (pid) => (pid > 900_000 ? undefined : 'x'),
      killGroup: (pid) => void signalled.push(pid),
    };
    await putNote(
      '1-a.jsonl',
      { owner: 999_999_999, startTime: 'x', window: 'w' },
      ...[0, 1, -5, 1.5].map((pid) => ({ '+': pid, startTime: 'x' })),
    );
    expect(await reap(open(processes))).toEqual([]);
    expect(signalled).toEqual([]);
  });

  test('a note that can not be written is told, and the command runs', async () => {
    await writeFile(path, 'a file in the way');
    const orphans = open();
    const started = await start(orphans.processes);
    await orphans.settled();
    expect(await lives(started.pid)).toBe(true);
    expect(problems.splice(0)).toHaveLength(1);
    await rm(path);
  });
});

/** Another window: a process of its own that starts one through its notes, which has started another. */
async function startWindow(
  command = 'sleep 600 & echo $!; wait',
): Promise<{ readonly child: ChildProcess; readonly pids: readonly number[] }> {
  const source = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
  const script = `
    const { createOrphanedProcesses } = await import(${source('createOrphanedProcesses.ts')});
    const { createNodeProcesses } = await import(${source('../host/node/nodeProcesses.ts')});
    const { createNodeFileSystem } = await import(${source('../host/node/nodeFileSystem.ts')});
    const { systemClock } = await import(${source('../host/node/systemClock.ts')});
    // A window lives on when its commands have ended.
    setInterval(() => {}, 60_000);
    const orphans = createOrphanedProcesses({ fs: createNodeFileSystem(), processes: createNodeProcesses(),
      clock: systemClock, path: ${JSON.stringify(path)}, report: console.error });
    const running = await orphans.processes.start({ file: 'sh',
      args: ['-c', ${JSON.stringify(command)}], cwd: '/', env: { PATH: process.env.PATH } });
    running.onOutput(async (_stream, bytes) => {
      await orphans.settled();
      console.log(running.pid, Buffer.from(bytes).toString().trim());
    });`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  });
  children.push(child);
  const line = await new Promise<string>((resolve) =>
    child.stdout.once('data', (bytes) => resolve(String(bytes))),
  );
  const pids = line.trim().split(' ').map(Number);
  groups.push(...pids.slice(0, 1));
  return { child, pids };
}
