// Threat: a command that was let run because it is contained gets out. The container is made hardened (createArgs) and its
// binds are checked right before; this file adds no right to it.
import { randomUUID } from 'node:crypto';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { Clock, FileSystem, Log } from '../../host/ports.ts';
import type { Processes, RunningProcess } from '../../host/processes.ts';
import type { ExecOperations, ExecRequest, RunningCommand } from '../execOperations.ts';
import { planCreateArgs } from './createArgs.ts';
import { pathsOf } from './parseBind.ts';
import { planBinds, workspaceMounts } from './planBinds.ts';
import { createRunDocker, dockerEnvironment, startDocker } from './runDocker.ts';
import type { SandboxOptions } from './sandboxOptions.ts';

export interface DockerExecDeps {
  readonly processes: Processes;
  readonly fs: Pick<FileSystem, 'realpath' | 'lstat'>;
  readonly log: Log;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly folders: () => readonly string[];
  readonly options: () => SandboxOptions;
  /** This window, as `pid-start`; containers of a window that is gone are removed. */
  readonly owner: { readonly pid: number; readonly startTime: string | undefined };
  /** `uid:gid` of the user; undefined where the platform has none. */
  readonly user: string | undefined;
}

/** What containers of ours are known by. */
const label = 'pincer.sandbox';
const ownerLabel = 'pincer.owner';
/** Not writable from within and gone with the container. */
const pidFolder = '/run';

/**
 * Runs commands in one container per window, made at the first command and anew when folders or options change. The container
 * has no network and sees what `planBinds` lists.
 */
export function createDockerExec(deps: DockerExecDeps): ExecOperations {
  const env = dockerEnvironment(deps.env);
  const cwd = deps.home;
  const docker = createRunDocker(deps.processes, cwd, env);
  let container: { readonly key: string; readonly id: Promise<string> } | undefined;

  const remove = async (id: string): Promise<void> => {
    try {
      await docker(['rm', '--force', id]);
    } catch (error) {
      deps.log.write('warn', `[sandbox] a container was not removed: ${errorMessage(error)}`);
    }
  };

  async function make(): Promise<string> {
    await removeLeftovers();
    const binds = await planBinds({ ...deps, folders: deps.folders(), options: deps.options() });
    const name = `pincer-${randomUUID()}`;
    const { pid, startTime = '' } = deps.owner;
    const labels = { [label]: '1', [ownerLabel]: `${pid}:${startTime}` };
    const args = planCreateArgs({ name, labels, options: deps.options(), binds, user: deps.user });
    const id = await docker(args);
    try {
      await docker(['start', name]);
    } catch (error) {
      await remove(name);
      throw error;
    }
    return id === '' ? name : id;
  }

  /** Containers whose window has ended without removing them: its process is gone, or another one has its number. */
  async function removeLeftovers(): Promise<void> {
    const format = `{{.ID}} {{.Label "${ownerLabel}"}}`;
    const lines = (await docker(['ps', '--all', `--filter=label=${label}=1`, `--format=${format}`])).split(
      '\n',
    );
    for (const line of lines) {
      const [id = '', owner = ''] = line.trim().split(' ');
      const [pid, ...start] = owner.split(':');
      if (id === '' || !/^\d+$/u.test(pid ?? '')) continue;
      const startTime = await deps.processes.startTimeOf(Number(pid));
      if (startTime === undefined || startTime !== start.join(':')) await remove(id);
    }
  }

  async function open(): Promise<string> {
    const key = JSON.stringify([deps.folders(), deps.options()]);
    if (container !== undefined && container.key !== key) {
      const old = container.id;
      container = undefined;
      void old.then(remove, () => undefined);
    }
    if (container === undefined) {
      const made = { key, id: make() };
      container = made;
      made.id.catch(() => {
        // The next command tries again.
        if (container === made) container = undefined;
      });
    }
    return await container.id;
  }

  return {
    host: 'sandbox',
    async start(request) {
      const inside = translate(request.workdir, deps);
      const id = await open();
      const pidFile = `${pidFolder}/${randomUUID()}`;
      const args = [
        'exec',
        ...(request.hasInput ? ['--interactive'] : []),
        `--workdir=${inside}`,
        ...Object.entries(request.env).map(([name, value]) => `--env=${name}=${value}`),
        id,
        ...commandInside(pidFile, request),
      ];
      const running = await startDocker(deps.processes, args, cwd, env, request.hasInput);
      // A signal to the client reaches nothing in the container.
      const signal = async (name: 'INT' | 'TERM' | 'KILL'): Promise<void> => {
        try {
          await docker(['exec', id, 'sh', '-c', signalScript, 'sh', pidFile, name]);
        } catch (error) {
          deps.log.write('debug', `[sandbox] nothing to signal: ${errorMessage(error)}`);
        }
      };
      return follow(running, signal, deps.clock);
    },
    dispose() {
      const last = container;
      container = undefined;
      if (last !== undefined) void last.id.then(remove, () => undefined);
    },
  };
}

/** A group of its own, whose number is kept, so that all of it can be ended; the command is an argument, never part of ours. */
function commandInside(pidFile: string, { command }: ExecRequest): readonly string[] {
  return ['setsid', '--wait', 'sh', '-c', 'echo $$ > "$1"; exec sh -c "$2"', 'sh', pidFile, command];
}

const signalScript = 'kill "-$2" "-$(cat "$1")"';

/** @throws PincerError `sandbox_workdir` where the container does not see the folder */
function translate(workdir: string, deps: Pick<DockerExecDeps, 'platform' | 'folders' | 'options'>): string {
  const paths = pathsOf(deps.platform);
  if (deps.options().workspaceAccess === 'none') return '/tmp';
  for (const { folder, target } of workspaceMounts(deps.folders())) {
    const below = paths.relative(folder, workdir);
    if (below === '') return target;
    if (!paths.isAbsolute(below) && below.split(paths.sep)[0] !== '..')
      return `${target}/${below.split(paths.sep).join('/')}`;
  }
  throw new PincerError('sandbox_workdir', `The sandbox does not see ${workdir}.`, {
    hint: 'Run it in a folder of the workspace.',
  });
}

/** How long a command has to end by itself. */
const graceMs = 2_000;

function follow(
  running: RunningProcess,
  signal: (name: 'INT' | 'TERM' | 'KILL') => Promise<void>,
  clock: Clock,
): RunningCommand {
  return {
    exit: running.exit,
    onOutput: (listener) => running.onOutput(listener),
    write: (text) => running.write(Buffer.from(text)),
    endInput: () => running.endInput(),
    interrupt: () => void signal('INT'),
    async stop() {
      const cancel = clock.after(graceMs, () => {
        void signal('KILL').then(() => running.kill('SIGKILL'));
      });
      await signal('TERM');
      await running.exit;
      cancel();
    },
  };
}
