import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';

import type { Workbench } from './openWorkbench.ts';
import { until } from './until.ts';

/** The process that extensions run in. Linux only: it is looked for in /proc. */
export interface ExtensionHost {
  readonly pid: number;
  /** SIGKILL, at once: for the callback of a watcher. */
  kill(): void;
  /** Resolves when the process is gone. */
  ended(): Promise<void>;
}

/**
 * The workbench's extension host, known by its PINCER_HOME. VS Code starts a new one for a killed one, and the window one more
 * when it is reloaded: the newest is the window's.
 */
export async function findExtensionHost({ home }: Pick<Workbench, 'home'>): Promise<ExtensionHost> {
  const pid = (await extensionHostsOf(home)).at(-1);
  if (pid === undefined) throw new Error(`No extension host has the home ${home}.`);
  return {
    pid,
    kill() {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        // It has just ended by itself.
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
      }
    },
    async ended() {
      await until('the extension host to be gone', async () => !(await isRunning(pid)));
    },
  };
}

/** The extension hosts with this PINCER_HOME, oldest first. */
export async function extensionHostsOf(home: string): Promise<readonly number[]> {
  const isHost = async (pid: number): Promise<boolean> => {
    if (!(await argumentsOf(pid)).includes('--type=extensionHost')) return false;
    return (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').includes(`PINCER_HOME=${home}`);
  };
  // What a host starts looks like the host until its own program runs.
  return await pidsWhere(
    async (pid) => (await isHost(pid)) && !(await isHost(await parentOf(pid)).catch(() => false)),
  );
}

/** Processes that run this program with these arguments in the workspace folder. */
export async function findInWorkspace(
  { workspace }: Pick<Workbench, 'workspace'>,
  [program, ...args]: readonly [string, ...string[]],
): Promise<readonly number[]> {
  return await pidsWhere(async (pid) => {
    const [path = '', ...found] = await argumentsOf(pid);
    const isCalled = basename(path) === program && found.join('\0') === args.join('\0');
    return isCalled && (await readlink(`/proc/${pid}/cwd`)) === workspace;
  });
}

/** Oldest first. */
async function pidsWhere(matches: (pid: number) => Promise<boolean>): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name)).map(Number);
  // One that ends while it is looked at, or is somebody else's, is none of ours.
  const found = await Promise.all(pids.map(async (pid) => (await matches(pid).catch(() => false)) && pid));
  const started = await Promise.all(
    found.filter((pid) => pid !== false).map(async (pid) => ({ pid, at: await startOf(pid) })),
  );
  return started.sort((a, b) => a.at - b.at).map(({ pid }) => pid);
}

async function argumentsOf(pid: number): Promise<readonly string[]> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replace(/\0$/u, '').split('\0');
}

/** Clock ticks since the machine started. */
async function startOf(pid: number): Promise<number> {
  return Number((await factsOf(pid).catch(() => []))[19] ?? 0);
}

async function parentOf(pid: number): Promise<number> {
  return Number((await factsOf(pid))[1]);
}

/** What /proc tells of a process, from its state on: the name of its program, before that and in parentheses, may hold anything. */
async function factsOf(pid: number): Promise<readonly string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** False for one that has ended and only waits for its parent to notice. */
async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat !== undefined && !/\) [ZX] /u.test(stat);
}
