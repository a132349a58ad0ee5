import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../test/builders/manualClock.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createNodeProcesses } from '../host/node/nodeProcesses.ts';
import type { ProcessRequest } from '../host/processes.ts';
import type { CommandPlan, ShellKind } from '../shell/commandPlan.ts';
import { createLocalExec } from './createLocalExec.ts';
import type { ExecRequest, RunningCommand } from './execOperations.ts';

const real = createNodeProcesses();
let folder: string;
let clock = createManualClock();
let started: ProcessRequest[] = [];
const commands: RunningCommand[] = [];

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-local-')));
  clock = createManualClock();
  started = [];
});
afterEach(async () => {
  for (const each of commands.splice(0)) {
    const gone = each.stop();
    clock.advance(2_000);
    await gone;
  }
  await rm(folder, { recursive: true });
});

const exec = () =>
  createLocalExec({
    processes: {
      ...real,
      start: (request) => {
        started.push(request);
        return real.start(request);
      },
    },
    fs: createNodeFileSystem(),
    clock,
    platform: process.platform,
    systemRoot: 'C:\\Windows',
  });

async function start(parts: Partial<ExecRequest>): Promise<RunningCommand> {
  const env = { PATH: process.env['PATH'] ?? '' };
  const request = {
    command: 'true',
    shell: 'bash' as ShellKind,
    workdir: folder,
    env,
    hasInput: false,
    ...parts,
  };
  const command = await exec().start(request);
  commands.push(command);
  return command;
}

async function textOf(command: RunningCommand): Promise<string> {
  let text = '';
  command.onOutput((_stream, bytes) => void (text += Buffer.from(bytes).toString()));
  await command.exit;
  return text;
}

function firstOutput(command: RunningCommand): Promise<string> {
  return new Promise((resolve) => {
    command.onOutput((_stream, bytes) => resolve(Buffer.from(bytes).toString()));
  });
}

const plan = (...argv: readonly [string, ...string[]]): CommandPlan => ({
  steps: [{ when: 'always', pipeline: [{ argv }] }],
});

describe.skipIf(process.platform === 'win32')('a command on this machine', () => {
  test('that was understood runs without any shell, whatever its line says', async () => {
    const text = await textOf(
      await start({ command: 'echo a; touch evil', plan: plan('echo', 'a; touch evil') }),
    );
    expect(text).toBe('a; touch evil\n');
    expect(started.map(({ file }) => file.split('/').at(-1))).toEqual(['echo']);
  });

  test('that was not understood is read by the shell it was written for, which gets the whole line as one argument', async () => {
    expect(await textOf(await start({ command: 'x=1; echo "$((x+1))" | cat' }))).toBe('2\n');
    expect(started).toMatchObject([
      { args: ['--noprofile', '--norc', '-c', 'x=1; echo "$((x+1))" | cat'], cwd: folder },
    ]);
  });

  test('start-up files of the shell say nothing into it, also where bash would read them', async () => {
    await writeFile(join(folder, '.bashrc'), 'echo evil\nls() { echo evil; }\n');
    const command = await start({
      command: 'ls *',
      hasInput: true,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder },
    });
    expect(await textOf(command)).not.toContain('evil');
  });

  test('a program of the current folder is not run by its bare name', async () => {
    await writeFile(join(folder, 'git'), '#!/bin/sh\necho evil\n');
    await chmod(join(folder, 'git'), 0o755);
    const env = { PATH: `:.:${folder}:/nowhere` };
    const text = await textOf(await start({ plan: plan('git', 'status'), env }));
    expect(text).toBe('git: There is no program git on the PATH.\n');
    expect(started).toEqual([]);
  });

  test('nor by a shell that reads the line, or by anything the command starts', async () => {
    await writeFile(join(folder, 'git'), '#!/bin/sh\necho evil\n');
    await chmod(join(folder, 'git'), 0o755);
    const path = process.env['PATH'] ?? '';
    for (const PATH of [`:${path}`, `.:${path}`, `${folder}:${path}`, `${path}:`]) {
      const text = await textOf(await start({ command: 'git; sh -c git; true "$HOME"', env: { PATH } }));
      expect(text).not.toContain('evil');
    }
  });

  test('a shell that is not installed is named', async () => {
    await expect(start({ shell: 'fish', env: { PATH: '/nowhere' } })).rejects.toMatchObject({
      code: 'process_not_found',
      message: 'There is no program fish on the PATH.',
    });
  });

  test('stop asks first: what ends by itself then is not killed', async () => {
    const command = await start({
      command: "trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.01; done",
    });
    let text = '';
    const up = new Promise<void>((resolve) => {
      command.onOutput((_stream, bytes) => {
        text += Buffer.from(bytes).toString();
        resolve();
      });
    });
    await up;
    await command.stop();
    expect(await command.exit).toEqual({ code: 3, signal: undefined });
    expect(text).toContain('bye');
  });

  test('stop kills after two seconds what does not care, with everything it started', async () => {
    const command = await start({ command: "trap '' TERM; sleep 600 & echo $!; wait; wait; sleep 600" });
    const child = Number(await firstOutput(command));
    const gone = command.stop();
    clock.advance(1_999);
    expect(await real.startTimeOf(child)).toBeDefined();
    clock.advance(1);
    await gone;
    expect((await command.exit).signal).toBe('SIGKILL');
    await expect.poll(() => real.startTimeOf(child)).toBeUndefined();
  });

  test('nothing is started once it was closed', async () => {
    const closed = exec();
    closed.dispose();
    const request = { command: 'true', shell: 'bash' as const, workdir: folder, env: {}, hasInput: false };
    await expect(closed.start(request)).rejects.toMatchObject({ code: 'exec_closed' });
  });
});
