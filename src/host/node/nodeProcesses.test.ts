import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProcessRequest, RunningProcess } from '../processes.ts';
import { createNodeProcesses, groupTarget } from './nodeProcesses.ts';

const processes = createNodeProcesses();
const env = { PATH: process.env['PATH'] ?? '' };
let folder: string;
const started: RunningProcess[] = [];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-processes-')));
});
afterEach(async () => {
  for (const each of started.splice(0)) {
    each.kill('SIGKILL');
    await each.exit;
  }
  await rm(folder, { recursive: true });
});

async function start(
  file: string,
  args: readonly string[],
  parts: Partial<ProcessRequest> = {},
): Promise<RunningProcess> {
  const running = await processes.start({ file, args, cwd: folder, env, ...parts });
  started.push(running);
  return running;
}

function sh(script: string, parts: Partial<ProcessRequest> = {}): Promise<RunningProcess> {
  return start('sh', ['-c', script], parts);
}

/** All output so far; complete once it has ended. */
function collect(running: RunningProcess): { stdout: string; stderr: string } {
  const seen = { stdout: '', stderr: '' };
  running.onOutput((stream, bytes) => {
    seen[stream] += Buffer.from(bytes).toString();
  });
  return seen;
}

/** The first output that satisfies `test`. */
function waitFor(running: RunningProcess, isIt: (text: string) => boolean): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    running.onOutput((_stream, bytes) => {
      text += Buffer.from(bytes).toString();
      if (isIt(text)) resolve(text);
    });
  });
}

/** One that has ended but waits to be collected counts as gone. */
async function isAlive(pid: number): Promise<boolean> {
  return (await processes.startTimeOf(pid)) !== undefined;
}

describe.skipIf(process.platform === 'win32')('a process', () => {
  test('runs in its folder with exactly its environment and arguments, and an empty input', async () => {
    const running = await start('sh', ['-c', 'pwd; printf "%s|" "$@"; env; cat', 'sh', 'a b', '$HOME', '*'], {
      env: { ...env, ONLY: 'this' },
    });
    const seen = collect(running);
    expect(await running.exit).toEqual({ code: 0, signal: undefined });
    const [pwd, args, ...variables] = seen.stdout.trim().split(/\n|(?<=\|)(?=\w+=)/u);
    expect(pwd).toBe(folder);
    expect(args).toBe('a b|$HOME|*|');
    expect(
      variables
        .map((line) => line.split('=')[0])
        .filter((name) => !['PWD', '_', 'SHLVL', 'OLDPWD'].includes(name!))
        .sort(),
    ).toEqual(['ONLY', 'PATH']);
  });

  test('what it says before anyone listens is not lost, also when it has ended by then', async () => {
    const running = await sh('echo err >&2; echo out; sleep 0.05; head -c 100000 /dev/zero; exit 3');
    await running.exit;
    const seen = collect(running);
    expect([seen.stdout.slice(0, 4), seen.stdout.length, seen.stderr]).toEqual(['out\n', 100_004, 'err\n']);
    expect(await running.exit).toEqual({ code: 3, signal: undefined });
  });

  test('output comes no faster than its listener takes it, and nothing of it is lost', async () => {
    const running = await start('head', ['-c', '3000000', '/dev/zero']);
    let release: () => void = () => undefined;
    let pieces = 0;
    let bytes = 0;
    const first = new Promise<void>((seen) => {
      running.onOutput((_stream, piece) => {
        pieces += 1;
        bytes += piece.length;
        if (pieces > 1) return undefined;
        seen();
        return new Promise((resolve) => (release = resolve));
      });
    });
    await first;
    // Another process says as much meanwhile, unhindered.
    const other = await start('head', ['-c', '3000000', '/dev/zero']);
    collect(other);
    await other.exit;
    expect(pieces).toBe(1);
    release();
    await running.exit;
    expect(bytes).toBe(3_000_000);
  });

  test('takes input until it is ended', async () => {
    const running = await start('cat', [], { hasInput: true });
    const seen = collect(running);
    await running.write(Buffer.from('one\n'));
    await running.write(Buffer.from('two\n'));
    running.endInput();
    await running.exit;
    expect(seen.stdout).toBe('one\ntwo\n');
    await expect(running.write(Buffer.from('x'))).rejects.toMatchObject({ code: 'process_input_closed' });
  });

  test('one that takes no input refuses it', async () => {
    const running = await start('true', []);
    await expect(running.write(Buffer.from('x'))).rejects.toMatchObject({ code: 'process_input_closed' });
    await running.exit;
  });

  test('a reader that goes away ends a writer that would go on for ever', async () => {
    const running = await start('yes', []);
    await new Promise<void>((resolve) => {
      running.onOutput(() => resolve());
    });
    running.breakPipe('stdout');
    expect(await running.exit).toEqual({ code: undefined, signal: 'SIGPIPE' });
  });

  test('a signal reaches everything it started', async () => {
    const running = await sh('sleep 600 & echo $!; wait');
    const child = Number(await waitFor(running, (text) => text.includes('\n')));
    expect(await isAlive(child)).toBe(true);
    running.kill('SIGTERM');
    expect(await running.exit).toEqual({ code: undefined, signal: 'SIGTERM' });
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  test('it has not ended while something it started still has its output, and that can be killed', async () => {
    const running = await sh('sleep 600 & echo $!');
    const child = Number(await waitFor(running, (text) => text.includes('\n')));
    await expect.poll(() => isAlive(running.pid)).toBe(false);
    expect(await isAlive(child)).toBe(true);
    running.kill('SIGKILL');
    expect(await running.exit).toEqual({ code: 0, signal: undefined });
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  test('after SIGKILL it waits for nobody who left the group', async () => {
    const running = await sh("setsid sh -c 'echo $$; sleep 600' & sleep 600");
    const escaped = Number(await waitFor(running, (text) => text.includes('\n')));
    running.kill('SIGKILL');
    expect(await running.exit).toEqual({ code: undefined, signal: 'SIGKILL' });
    expect(await isAlive(escaped)).toBe(true);
    process.kill(-escaped, 'SIGKILL');
  });

  test('a signal after the end is no error and reaches nobody', async () => {
    const running = await start('true', []);
    await running.exit;
    running.kill('SIGKILL');
    processes.killGroup(running.pid, 'SIGKILL');
  });

  test('a program or a folder that is not there is named', async () => {
    await expect(start('no-such-program', [])).rejects.toMatchObject({
      code: 'process_not_found',
      message: 'There is no program no-such-program.',
    });
    await expect(start('true', [], { cwd: join(folder, 'gone') })).rejects.toMatchObject({
      code: 'process_failed',
      message: `The folder ${join(folder, 'gone')} does not exist.`,
    });
    await expect(start('true', ['a\0b'])).rejects.toMatchObject({ code: 'process_failed' });
    await expect(start(folder, [])).rejects.toMatchObject({ code: 'process_failed' });
  });

  test('its start time names it while it runs, and nobody afterwards', async () => {
    const running = await start('sleep', ['600']);
    const time = await running.startTime;
    expect(time).toBeDefined();
    expect(await processes.startTimeOf(running.pid)).toBe(time);
    expect(await processes.startTimeOf(processes.ownPid)).not.toBe(time);
    running.kill('SIGKILL');
    await running.exit;
    expect(await processes.startTimeOf(running.pid)).toBeUndefined();
  });
});

// Never try this with a real signal: where the rule is broken, that ends every process of the user.
test('a group can never be everybody, our own or nonsense', () => {
  expect(groupTarget(4_711, 42)).toBe(-4_711);
  for (const pid of [1, 0, -1, -7, 42, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect([pid, groupTarget(pid, 42)]).toEqual([pid, undefined]);
  }
});
