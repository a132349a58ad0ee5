import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { createNodeProcesses } from '../../host/node/nodeProcesses.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import type { ExecOperations, ExecRequest, RunningCommand } from '../execOperations.ts';
import { createDockerExec, type DockerExecDeps } from './createDockerExec.ts';
import type { SandboxOptions } from './sandboxOptions.ts';
import { until } from '../../../test/builders/until.ts';

/** A client that notes what it is asked, and runs what it shall run in a container right here. */
const fakeDocker = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
const args = process.argv.slice(2);
const here = __dirname;
appendFileSync(here + '/log', JSON.stringify({ args, env: process.env }) + '\\n');
if (args[0] === 'create') {
  const says = readFileSync(here + '/create', 'utf8');
  if (says.startsWith('!')) { console.error(says.slice(1)); process.exit(1); }
  console.log(says);
}
if (args[0] === 'ps') console.log(readFileSync(here + '/ps', 'utf8'));
if (args[0] === 'top') console.log(readFileSync(here + '/top', 'utf8'));
if (args[0] === 'wait')
  setInterval(() => readFileSync(here + '/log', 'utf8').includes('["rm","--force","' + args[1] + '"]') && process.exit(0), 20);
if (args[0] === 'exec') {
  const added = args.filter((each) => each.startsWith('--env=')).map((each) => each.slice(6).split('='));
  const rest = args.slice(1).filter((each) => !each.startsWith('--interactive') && !each.startsWith('--workdir') && !each.startsWith('--env'));
  const [program, ...more] = rest.slice(1);
  if (more.at(-1) === 'KILL' && readFileSync(here + '/deaf', 'utf8') !== '') process.exit(1);
  spawn(program, more, { stdio: 'inherit', env: { ...process.env, ...Object.fromEntries(added) } }).on('exit', (code, signal) => process.exit(code ?? 128 + (signal === 'SIGKILL' ? 9 : 15)));
}
`;

interface Call {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

let top: string;
let operations: ExecOperations;
const processes = createNodeProcesses();
const log = createInMemoryLog();

const options: SandboxOptions = {
  image: 'debian:bookworm-slim',
  binds: [],
  bindRoots: [],
  memory: '1g',
  cpus: 1,
  pidsLimit: 64,
  workspaceAccess: 'rw',
};

beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'pincer-docker-')));
  await mkdir(join(top, 'bin'));
  await mkdir(join(top, 'home/u/proj/.git'), { recursive: true });
  await mkdir(join(top, 'home/u/proj/src'), { recursive: true });
  await writeFile(join(top, 'bin/docker'), fakeDocker);
  await writeFile(join(top, 'bin/create'), 'c0ffee');
  await writeFile(join(top, 'bin/ps'), '');
  await writeFile(join(top, 'bin/top'), 'PID\n10\n11');
  await writeFile(join(top, 'bin/deaf'), '');
  await writeFile(join(top, 'bin/log'), '');
  await chmod(join(top, 'bin/docker'), 0o755);
});
afterEach(async () => {
  operations.dispose();
  await until(async () => {
    const verbs = (await calls()).map(({ args }) => args[0]);
    const countOf = (verb: string): number => verbs.filter((each) => each === verb).length;
    // Each container is removed by a process that notes it in the folder, the last one after `dispose`.
    expect(countOf('rm')).toBeGreaterThanOrEqual(countOf('start'));
  });
  await rm(top, { recursive: true, force: true });
});

const proj = (): string => join(top, 'home/u/proj');

function open(parts: Partial<DockerExecDeps> = {}): ExecOperations {
  operations = createDockerExec({
    processes,
    fs: createNodeFileSystem(),
    log,
    clock: systemClock,
    platform: 'linux',
    env: { PATH: `${join(top, 'bin')}:${process.env['PATH'] ?? ''}`, SECRET_TOKEN: 'x' },
    home: join(top, 'home/u'),
    folders: () => [proj()],
    options: () => options,
    owner: { pid: process.pid, startTime: 'now' },
    user: '1000:1000',
    ...parts,
  });
  return operations;
}

async function calls(): Promise<readonly Call[]> {
  const text = await readFile(join(top, 'bin/log'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Call);
}

const request = (command: string, parts: Partial<ExecRequest> = {}): ExecRequest => ({
  command,
  shell: 'bash',
  workdir: proj(),
  env: {},
  hasInput: false,
  ...parts,
});

async function outputOf(command: RunningCommand): Promise<string> {
  let text = '';
  command.onOutput((_stream, bytes) => void (text += Buffer.from(bytes).toString()));
  await command.exit;
  return text;
}

async function saysReady(command: RunningCommand): Promise<void> {
  let text = '';
  command.onOutput((_stream, bytes) => void (text += Buffer.from(bytes).toString()));
  await until(() => expect(text).toBe('ready\n'));
}

describe('a command in the sandbox', () => {
  it('runs in a container that is made once, hardened, with the workspace and without our environment', async () => {
    const sandbox = open();
    expect(await outputOf(await sandbox.start(request('echo one; echo two')))).toBe('one\ntwo\n');
    expect(await outputOf(await sandbox.start(request('echo three', { env: { A: 'b' } })))).toBe('three\n');
    const made = (await calls()).filter(({ args }) => args[0] === 'create');
    expect(made).toHaveLength(1);
    expect(made[0]?.args).toContain('--network=none');
    expect(made[0]?.args).toContain(`--mount=type=bind,source=${proj()},target=/workspace`);
    expect(made[0]?.args).toContain(
      `--mount=type=bind,source=${proj()}/.git,target=/workspace/.git,readonly`,
    );
    expect(made[0]?.env).not.toHaveProperty('SECRET_TOKEN');
    const [, second] = (await calls()).filter(({ args }) => args[0] === 'exec');
    expect(second?.args.slice(0, 3)).toEqual(['exec', '--workdir=/workspace', '--env=A=b']);
    expect(second?.args[3]).toMatch(/^--env=PINCER_COMMAND=[\w-]{36}$/u);
    expect(second?.args[4]).toBe('c0ffee');
  });

  it('is an argument of its own: nothing in it reaches the client or the shell around it', async () => {
    const hostile = '--privileged; echo \'$(id)\' "$1" `x`';
    await outputOf(await open().start(request(hostile, { workdir: join(proj(), 'src') })));
    const run = (await calls()).find(({ args }) => args[0] === 'exec');
    expect(run?.args.at(-1)).toBe(hostile);
    expect(run?.args).toContain('--workdir=/workspace/src');
  });

  it('is ended with all it started, in the container and not only at the client', async () => {
    const running = await open().start(request('sleep 300 & echo ready; wait'));
    await saysReady(running);
    await running.stop();
    const signals = (await calls()).filter(({ args }) => args.at(-1) === 'TERM');
    expect(signals).toHaveLength(1);
    expect((await calls()).map(({ args }) => args[0])).not.toContain('rm');
  });

  it('that leaves something behind when it is stopped takes the container with it', async () => {
    const sandbox = open();
    const running = await sandbox.start(request('echo ready; sleep 300'));
    await saysReady(running);
    await writeFile(join(top, 'bin/top'), 'PID\n10\n11\n12');
    await running.stop();
    expect((await calls()).at(-1)?.args).toEqual(['rm', '--force', 'c0ffee']);
    await outputOf(await sandbox.start(request('true')));
    expect((await calls()).filter(({ args }) => args[0] === 'create')).toHaveLength(2);
  });

  it('that nothing inside can end ends with the container, and the client with it', async () => {
    const running = await open().start(request("trap '' TERM; echo ready; sleep 8"));
    await saysReady(running);
    await writeFile(join(top, 'bin/deaf'), 'yes');
    await running.stop();
    expect((await calls()).map(({ args }) => args[0])).toContain('rm');
  });

  it('takes input where it is wanted', async () => {
    const running = await open().start(request('cat', { hasInput: true }));
    const output = outputOf(running);
    await running.write('hello');
    running.endInput();
    expect(await output).toBe('hello');
  });

  it('refuses a folder that the container does not see', async () => {
    await expect(open().start(request('ls', { workdir: top }))).rejects.toMatchObject({
      code: 'sandbox_workdir',
    });
  });
});

describe('a container', () => {
  it('is not made where a bind of the config is refused', async () => {
    const sandbox = open({ options: () => ({ ...options, binds: ['/etc:/x:ro'] }) });
    await expect(sandbox.start(request('ls'))).rejects.toMatchObject({ code: 'sandbox_bind_refused' });
    expect((await calls()).map(({ args }) => args[0])).not.toContain('create');
  });

  it('that could not be made is tried again, and the client says why', async () => {
    await writeFile(join(top, 'bin/create'), '!No such image');
    const sandbox = open();
    await expect(sandbox.start(request('ls'))).rejects.toThrow('No such image');
    await writeFile(join(top, 'bin/create'), 'beef');
    expect(await outputOf(await sandbox.start(request('echo ok')))).toBe('ok\n');
  });

  it('whose window is gone is removed, that of a living window is not', async () => {
    const own = await processes.startTimeOf(process.pid);
    await writeFile(
      join(top, 'bin/ps'),
      `dead 999999999:x\nother ${process.pid}:before\nalive ${process.pid}:${own}\n`,
    );
    await outputOf(await open().start(request('true')));
    const removed = (await calls()).filter(({ args }) => args[0] === 'rm').map(({ args }) => args.at(-1));
    expect(removed).toEqual(['dead', 'other']);
  });

  it('is removed with the window', async () => {
    const sandbox = open();
    await outputOf(await sandbox.start(request('true')));
    sandbox.dispose();
    await until(async () => {
      expect((await calls()).at(-1)?.args).toEqual(['rm', '--force', 'c0ffee']);
    });
  });
});

it('says so where there is no docker', async () => {
  const sandbox = open({ env: { PATH: join(top, 'home') } });
  await expect(sandbox.start(request('ls'))).rejects.toMatchObject({ code: 'docker_missing' });
});
