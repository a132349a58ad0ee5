import { createInMemoryLog } from './inMemoryLog.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { createNodeProcesses } from '../../src/host/node/nodeProcesses.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import { createDockerExec, type DockerExec } from '../../src/sandbox/docker/createDockerExec.ts';
import type { SandboxOptions } from '../../src/sandbox/docker/sandboxOptions.ts';

/** Root's files would tell nothing about whose they are. */
const isRoot = process.getuid?.() === 0;
/** Whose a workspace is, and as whom its commands run. */
export const containerUser = {
  uid: isRoot ? 1000 : (process.getuid?.() ?? 1000),
  gid: isRoot ? 1000 : (process.getgid?.() ?? 1000),
};

/** The sandbox of this process on a real Docker daemon; also for a process without the test runner. */
export async function openSandbox(
  workspace: string,
  image: string,
  options: Partial<SandboxOptions> = {},
): Promise<{ readonly sandbox: DockerExec; /** The label of its containers. */ readonly label: string }> {
  const processes = createNodeProcesses();
  const owner = { pid: process.pid, startTime: await processes.startTimeOf(process.pid) };
  const all: SandboxOptions = {
    ...{ image, binds: [], bindRoots: [], memory: '256m', cpus: 1 },
    ...{ pidsLimit: 64, workspaceAccess: 'rw' },
    ...options,
  };
  const sandbox = createDockerExec({
    processes,
    fs: createNodeFileSystem(),
    log: createInMemoryLog(),
    clock: systemClock,
    platform: 'linux',
    env: process.env,
    home: workspace,
    folders: () => [workspace],
    options: () => all,
    owner,
    user: `${containerUser.uid}:${containerUser.gid}`,
  });
  return { sandbox, label: `pincer.owner=${owner.pid}:${owner.startTime ?? ''}` };
}
