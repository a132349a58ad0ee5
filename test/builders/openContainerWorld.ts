import { execFile } from 'node:child_process';
import { chown, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { RunningCommand } from '../../src/sandbox/execOperations.ts';
import type { DockerExec } from '../../src/sandbox/docker/createDockerExec.ts';
import type { SandboxOptions } from '../../src/sandbox/docker/sandboxOptions.ts';
import { containerUser, openSandbox } from './openSandbox.ts';
import { dockerServer } from './testServers.ts';
import { until } from './until.ts';

/** The sandbox on a real Docker daemon, with a workspace of its own. */
export interface ContainerWorld {
  readonly sandbox: DockerExec;
  /** Absolute path on this machine. */
  readonly workspace: string;
  start(command: string, hasInput?: boolean): Promise<RunningCommand>;
  /** Starts a command that says `ready` once all of it runs. */
  startReady(command: string): Promise<RunningCommand>;
  /** Our containers by their full id. */
  containers(): Promise<readonly string[]>;
  /** What runs in them beside their init and `sleep infinity`, by Docker's own list. */
  commandsInside(): Promise<readonly string[]>;
  /** Removes the container and the workspace. */
  close(): Promise<void>;
}

export async function openContainerWorld(options: Partial<SandboxOptions> = {}): Promise<ContainerWorld> {
  const image = dockerServer.url();
  const { uid, gid } = containerUser;
  const workspace = await realpath(await mkdtemp(join(tmpdir(), 'pincer-container-')));
  await chown(workspace, uid, gid);
  const { sandbox, label } = await openSandbox(workspace, image, options);
  const start: ContainerWorld['start'] = async (command, hasInput = false) =>
    await sandbox.start({ command, shell: 'bash', workdir: workspace, env: {}, hasInput });
  const containers = async (): Promise<readonly string[]> => {
    const filters = [`--filter=label=${label}`, `--filter=volume=${workspace}`];
    return linesOf(await docker('ps', '--all', '--quiet', '--no-trunc', ...filters));
  };
  return {
    sandbox,
    workspace,
    start,
    containers,
    async startReady(command) {
      const running = await start(command);
      const text = reading(running);
      await until(() => expect(text()).toContain('ready'));
      return running;
    },
    async commandsInside() {
      const found: string[] = [];
      for (const id of await containers()) {
        const [, ...lines] = linesOf(await docker('top', id, '-eo', 'pid,args'));
        found.push(...lines.map((line) => line.trim().replace(/^\d+\s+/u, '')));
      }
      return found.filter((line) => !line.endsWith('sleep infinity') && !isEnding(line));
    },
    async close() {
      await sandbox.close();
      expect(await containers()).toEqual([]);
      await rm(workspace, { recursive: true, force: true });
    },
  };
}

/** Of a process that has given its memory back, `ps` shows the name alone, in brackets. One that nobody has reaped is `<defunct>`: that counts. */
function isEnding(line: string): boolean {
  return /^\[[^\]]*\]$/u.test(line);
}

/** Runs the Docker client. */
export async function docker(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)('docker', args)).stdout.trim();
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** All that a command has said so far. */
export function reading(command: RunningCommand): () => string {
  let text = '';
  command.onOutput((_stream, bytes) => void (text += Buffer.from(bytes).toString()));
  return () => text;
}

/** All that a command says. */
export async function outputOf(command: RunningCommand): Promise<string> {
  const text = reading(command);
  await command.exit;
  return text();
}
