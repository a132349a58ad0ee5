// What only a real daemon can show. All tests share one container where they leave it standing: making one takes seconds.
import { execFile } from 'node:child_process';
import { chown, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { dockerServer } from '../../../test/builders/testServers.ts';
import { createInMemoryLog } from '../../host/memory/inMemoryLog.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { createNodeProcesses } from '../../host/node/nodeProcesses.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import type { ExecOperations, RunningCommand } from '../execOperations.ts';
import { createDockerExec } from './createDockerExec.ts';

const processes = createNodeProcesses();
/** Root's files would tell nothing about whose they are. */
const uid = process.getuid?.() === 0 ? 1000 : (process.getuid?.() ?? 1000);
const gid = process.getuid?.() === 0 ? 1000 : (process.getgid?.() ?? 1000);

let workspace: string;
let sandbox: ExecOperations | undefined;
let owner: { readonly pid: number; readonly startTime: string | undefined };

async function openSandbox(): Promise<void> {
  const image = dockerServer.url();
  workspace = await realpath(await mkdtemp(join(tmpdir(), 'pincer-container-')));
  await chown(workspace, uid, gid);
  owner = { pid: process.pid, startTime: await processes.startTimeOf(process.pid) };
  sandbox = createDockerExec({
    processes,
    fs: createNodeFileSystem(),
    log: createInMemoryLog(),
    clock: systemClock,
    platform: 'linux',
    env: process.env,
    home: workspace,
    folders: () => [workspace],
    options: () => ({
      ...{ image, binds: [], bindRoots: [], memory: '256m', cpus: 1 },
      ...{ pidsLimit: 64, workspaceAccess: 'rw' },
    }),
    owner,
    user: `${uid}:${gid}`,
  });
}

afterAll(async () => {
  if (sandbox === undefined) return;
  sandbox.dispose();
  await vi.waitFor(async () => expect(await containers()).toEqual([]), 30_000);
  await rm(workspace, { recursive: true, force: true });
}, 60_000);

async function docker(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)('docker', args)).stdout.trim();
}

async function containers(): Promise<readonly string[]> {
  const label = `pincer.owner=${owner.pid}:${owner.startTime ?? ''}`;
  const text = await docker('ps', '--all', '--quiet', '--no-trunc', `--filter=label=${label}`);
  return text.split('\n').filter((line) => line !== '');
}

/** What runs in our containers beside their init and `sleep infinity`, by Docker's own list. */
async function commandsInside(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const id of await containers()) {
    const [, ...lines] = (await docker('top', id, '-eo', 'pid,args')).split('\n');
    found.push(...lines.map((line) => line.trim().replace(/^\d+\s+/u, '')));
  }
  return found.filter((line) => !line.endsWith('sleep infinity'));
}

async function start(command: string, hasInput = false): Promise<RunningCommand> {
  if (sandbox === undefined) throw new Error('The sandbox is not open.');
  return await sandbox.start({ command, shell: 'bash', workdir: workspace, env: {}, hasInput });
}

function reading(command: RunningCommand): () => string {
  let text = '';
  command.onOutput((_stream, bytes) => void (text += Buffer.from(bytes).toString()));
  return () => text;
}

async function outputOf(command: RunningCommand): Promise<string> {
  const text = reading(command);
  await command.exit;
  return text();
}

/** Starts a command that says `ready` once all of it runs. */
async function startReady(command: string): Promise<RunningCommand> {
  const running = await start(command);
  const text = reading(running);
  await vi.waitFor(() => expect(text()).toContain('ready'), 20_000);
  return running;
}

describe.skipIf(dockerServer.isMissing)('in a real container', { timeout: 120_000 }, () => {
  const titled = (name: string): string => dockerServer.titled(name);

  // A container made anew must not count as the time of a test.
  beforeEach(async () => {
    if (sandbox === undefined) await openSandbox();
    await outputOf(await start('echo >/tmp/kept'));
  }, 60_000);

  it(titled('a command sees the workspace, no network and a read-only system'), async () => {
    await writeFile(join(workspace, 'a.txt'), 'here');
    const text = await outputOf(
      await start('cat a.txt; ls /sys/class/net; touch /usr/x 2>&1 || echo read-only; id -u; id -g'),
    );
    expect(text).toMatch(/^here\s*lo\s/u);
    expect(text).toContain('read-only');
    expect(text).toContain(`${uid}\n${gid}\n`);
    expect(text).not.toContain('cannot create');
  });

  it(titled('what a command writes belongs to the user of the workspace'), async () => {
    await outputOf(await start('echo made >made.txt'));
    expect(await stat(join(workspace, 'made.txt'))).toMatchObject({ uid, gid, size: 5 });
  });

  it(titled('a command takes input'), async () => {
    const running = await start('cat', true);
    const text = outputOf(running);
    await running.write('hello');
    running.endInput();
    expect(await text).toBe('hello');
  });

  it.each([
    'sleep 300 & echo ready; sleep 301',
    "trap '' TERM INT; echo ready; while :; do sleep 1; done",
    'setsid sleep 300 & echo ready; sleep 301',
    'env -i sleep 300 & echo ready; exec env -i sleep 301',
    'for f in /run/*; do rm -f "$f"; done; echo 1 >/run/x; mkdir -p /run/y; echo ready; sleep 300',
  ])(titled('stop() ends all of `%s`, and the container stays'), async (command) => {
    const [container] = await containers();
    const running = await startReady(command);
    expect(await commandsInside()).not.toEqual([]);
    await running.stop();
    expect(await commandsInside()).toEqual([]);
    expect(await containers()).toEqual([container]);
    expect(await outputOf(await start('ls /tmp'))).toBe('kept\n');
  });

  it.each([
    '(env -i setsid sleep 300 >/dev/null 2>&1 &); echo ready; sleep 301',
    "bash -c 'for i in {1..100}; do sleep 300 & done; wait' & sleep 2; echo ready; wait",
    // Ends each script of ours that looks for it.
    "env -i setsid bash -c 'cd /proc; while :; do for f in $(grep -ls [P]INCER_COMMAND= [0-9]*/cmdline); do kill -9 ${f%%/*}; done; done' & echo ready; sleep 300",
  ])(
    titled('stop() ends what hides or fights back, if need be with the container: `%s`'),
    async (command) => {
      const running = await startReady(command);
      await running.stop();
      expect(await commandsInside()).toEqual([]);
      expect(await outputOf(await start('echo again'))).toBe('again\n');
    },
  );

  it(titled('stop() leaves another command alone, and what hid behind it ends with that one'), async () => {
    const other = await startReady('echo ready; sleep 302; echo over');
    const running = await startReady('(env -i setsid sleep 300 >/dev/null 2>&1 &); echo ready; sleep 301');
    await running.stop();
    expect(await commandsInside()).toEqual(expect.arrayContaining(['sleep 302']));
    expect(await commandsInside()).not.toEqual(expect.arrayContaining(['sleep 301']));
    await other.stop();
    expect(await commandsInside()).toEqual([]);
  });

  it(titled('interrupt() ends a command with its children, and one that handles it goes on'), async () => {
    const ended = await startReady('echo ready; sleep 300; sleep 301');
    ended.interrupt();
    await ended.exit;
    expect(await commandsInside()).toEqual([]);

    const handled = await startReady("trap 'echo heard; exit 7' INT; echo ready; sleep 300");
    handled.interrupt();
    expect(await handled.exit).toMatchObject({ code: 7 });
    expect(await commandsInside()).toEqual([]);
  });
});
