// Threat: a command that was let run because it is contained gets out, or goes on after it was stopped. The container is made
// hardened (createArgs) and its binds are checked right before; this file adds no right to it.
//
// All commands run as one user, so a hostile one can write what another can, forge its mark and end what looks for it. Nothing that
// it can reach is therefore kept for ending it: its processes are looked up when they are to be ended, and whether that worked is
// judged from outside. What can't be ended inside ends with the container. One way is left: a command that hides in another one
// which runs at the same time goes on until that one ends.
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

/** The sandbox. */
export interface DockerExec extends ExecOperations {
  /** Removes containers of windows that are gone, with what runs in them. Never rejects. */
  reap(): Promise<void>;
  /** Removes the container; resolves when it is gone. Never rejects. */
  close(): Promise<void>;
}

/** What containers of ours are known by. */
const label = 'pincer.sandbox';
const ownerLabel = 'pincer.owner';
/** In the environment of a command, and so of what it starts. */
const markName = 'PINCER_COMMAND';
/** What runs in a container without a command: its init and `sleep` (createArgs). */
const ownProcesses = 2;
/** How long Docker may take to end or to look at something. */
const answerMs = 20_000;

interface Container {
  readonly key: string;
  readonly id: Promise<string>;
  /** How many commands run in it. */
  running: number;
  /** True once a command in it was stopped: processes of it may hide. */
  isSuspect: boolean;
  removal?: Promise<void>;
}

/**
 * Runs commands in one container per window, made at the first command and anew when folders or options change. The container
 * has no network and sees what `planBinds` lists.
 */
export function createDockerExec(deps: DockerExecDeps): DockerExec {
  const env = dockerEnvironment(deps.env);
  const cwd = deps.home;
  const docker = createRunDocker(deps.processes, cwd, env);
  const quickDocker = createRunDocker(deps.processes, cwd, env, { clock: deps.clock, ms: answerMs });
  let container: Container | undefined;
  const removals = new Set<Promise<void>>();
  /** A container is being looked at: the next command waits for what comes of it. */
  let settling = Promise.resolve();

  const remove = async (id: string): Promise<void> => {
    try {
      await quickDocker(['rm', '--force', id]);
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
    const lines = (
      await quickDocker(['ps', '--all', `--filter=label=${label}=1`, `--format=${format}`])
    ).split('\n');
    for (const line of lines) {
      const [id = '', owner = ''] = line.trim().split(' ');
      const [pid, ...start] = owner.split(':');
      if (id === '' || !/^\d+$/u.test(pid ?? '')) continue;
      const startTime = await deps.processes.startTimeOf(Number(pid));
      if (startTime === undefined || startTime !== start.join(':')) await remove(id);
    }
  }

  /** Counts the command in: whoever opens must also leave. */
  async function open(): Promise<Container> {
    await settling;
    const key = JSON.stringify([deps.folders(), deps.options()]);
    if (container !== undefined && container.key !== key) void retire(container);
    const used = (container ??= begin(key));
    used.running += 1;
    try {
      await used.id;
    } catch (error) {
      // The next command tries again.
      if (container === used) container = undefined;
      throw error;
    }
    return used;
  }

  function begin(key: string): Container {
    const begun = { key, id: make(), running: 0, isSuspect: false };
    void begun.id.then(
      (id) => replaceOnceEnded(begun, id),
      () => undefined,
    );
    return begun;
  }

  /** A command can end what keeps the container up: it runs as the same user. */
  async function replaceOnceEnded(used: Container, id: string): Promise<void> {
    try {
      // Only its end counts: the client may end by itself, and commands run in there.
      await docker(['wait', id]);
    } catch (error) {
      const why = errorMessage(error);
      if (container === used) deps.log.write('warn', `[sandbox] the end of a container goes unseen: ${why}`);
      if (await isThere(id)) return;
    }
    if (container === used) await retire(used);
  }

  /** True also where Docker does not say. */
  async function isThere(id: string): Promise<boolean> {
    try {
      return (await quickDocker(['ps', '--quiet', '--no-trunc', `--filter=id=${id}`])) !== '';
    } catch {
      return true;
    }
  }

  /** Ends everything in it, whatever that does about it. The next command gets a new one. */
  async function retire(used: Container): Promise<void> {
    if (container === used) container = undefined;
    if (used.removal === undefined) {
      const removal = used.id.then(remove, () => undefined).finally(() => removals.delete(removal));
      removals.add(removal);
      used.removal = removal;
    }
    await used.removal;
  }

  async function leave(used: Container): Promise<void> {
    used.running -= 1;
    await settleIfDue(used);
  }

  async function settleIfDue(used: Container): Promise<void> {
    if (used.running > 0 || !used.isSuspect || container !== used) return;
    settling = settle(used);
    await settling;
  }

  /** After a stop nothing may be left: neither of that command nor, since nobody can tell whose it is, of one before. */
  async function settle(used: Container): Promise<void> {
    if (await becomesIdle(await used.id)) used.isSuspect = false;
    else await retire(used);
  }

  /** What has just been ended may still be seen for a moment, longer on a busy machine. */
  async function becomesIdle(id: string): Promise<boolean> {
    const end = deps.clock.monotonic() + graceMs;
    while (!(await isIdle(id))) {
      if (deps.clock.monotonic() > end) return false;
      await new Promise<void>((resolve) => void deps.clock.after(pollIntervalMs, resolve));
    }
    return true;
  }

  /** Docker's own list, which nothing in the container can change. */
  async function isIdle(id: string): Promise<boolean> {
    try {
      const [, ...pids] = (await quickDocker(['top', id, '-eo', 'pid'])).split('\n');
      return pids.length <= ownProcesses;
    } catch (error) {
      deps.log.write('warn', `[sandbox] a container can't be looked at: ${errorMessage(error)}`);
      return false;
    }
  }

  /** A signal to the client reaches nothing in the container. False where it did not work. Never rejects. */
  async function signal(used: Container, mark: string, name: Signal): Promise<boolean> {
    try {
      await quickDocker(['exec', await used.id, 'sh', '-c', signalScript, 'sh', mark, name]);
      return true;
    } catch (error) {
      deps.log.write('debug', `[sandbox] SIG${name} did not work: ${errorMessage(error)}`);
      return false;
    }
  }

  async function stop(used: Container, mark: string, running: RunningProcess): Promise<void> {
    const ends = (): Promise<boolean> => isWithin(deps.clock, graceMs, running.exit);
    used.isSuspect = true;
    await signal(used, mark, 'TERM');
    await ends();
    if (!(await signal(used, mark, 'KILL')) || !(await ends())) await retire(used);
    // Docker does not answer: no more can be done here than to wait no longer.
    if (!(await ends())) running.kill('SIGKILL');
  }

  return {
    host: 'sandbox',
    async start(request) {
      const inside = translate(request.workdir, deps);
      const used = await open();
      const mark = `${markName}=${randomUUID()}`;
      const args = [
        'exec',
        ...(request.hasInput ? ['--interactive'] : []),
        `--workdir=${inside}`,
        ...Object.entries(request.env).map(([name, value]) => `--env=${name}=${value}`),
        `--env=${mark}`,
        await used.id,
        ...commandInside(request),
      ];
      try {
        const running = await startDocker(deps.processes, args, cwd, env, request.hasInput);
        return follow(running, used, mark);
      } catch (error) {
        await leave(used);
        throw error;
      }
    },
    async reap() {
      try {
        await removeLeftovers();
      } catch (error) {
        deps.log.write(
          'warn',
          `[sandbox] containers of earlier windows were not looked for: ${errorMessage(error)}`,
        );
      }
    },
    close,
    dispose: () => void close(),
  };

  async function close(): Promise<void> {
    if (container !== undefined) void retire(container);
    await Promise.all(removals);
  }

  function follow(running: RunningProcess, used: Container, mark: string): RunningCommand {
    const left = running.exit.then(() => leave(used));
    const end = async (): Promise<void> => {
      await stop(used, mark, running);
      await left;
      await settleIfDue(used);
    };
    let stopping: Promise<void> | undefined;
    return {
      exit: running.exit,
      onOutput: (listener) => running.onOutput(listener),
      write: (text) => running.write(Buffer.from(text)),
      endInput: () => running.endInput(),
      interrupt: () => void signal(used, mark, 'INT'),
      stop: () => (stopping ??= end()),
    };
  }
}

/**
 * A session and a group of its own, as a terminal gives it, where the image has `setsid` of util-linux; the command is an
 * argument, never part of ours.
 */
function commandInside({ command }: ExecRequest): readonly string[] {
  const script = 'setsid --wait true 2>/dev/null && exec setsid --wait sh -c "$1"; exec sh -c "$1"';
  return ['sh', '-c', script, 'sh', command];
}

type Signal = 'INT' | 'TERM' | 'KILL';

/**
 * Run in the container with a mark and a signal. What Docker started there (the parent is outside or not marked) is `setsid`,
 * which waits: its child leads the command's group. SIGINT goes to that group, as Ctrl+C does; the others to all that is marked,
 * too, and so does SIGINT where there is no `setsid`. SIGKILL is repeated while something is left, and fails if it stays. `status`
 * has names escaped; `stat` has not.
 */
const signalScript = `
exec 2>/dev/null
look() {
  parent= group=
  while read -r key value; do
    case $key in PPid:) parent=$value ;; NSpgid:) group=$value ;; esac
  done <"/proc/$1/status"
}
once() {
  marked=' ' roots=' ' waiting=' ' groups=' '
  for file in $(grep -lsF -e "$1" /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    marked="$marked\${file%/environ} "
  done
  for pid in $marked; do
    look "$pid"
    case "\${marked}1 " in *" $parent "*) ;; *) roots="$roots$pid " ;; esac
  done
  for folder in /proc/[0-9]*; do
    look "\${folder#/proc/}"
    [ "\${group:-0}" -gt 1 ] || continue
    case $roots in *" $parent "*) waiting="$waiting$parent " groups="$groups$group " ;; esac
  done
  for group in $groups; do kill "-$2" "-$group"; done
  for pid in $marked; do
    case $waiting in *" $pid "*) continue ;; esac
    case "$2$groups" in 'INT ' | [TK]*) kill "-$2" "$pid" ;; esac
  done
  [ "$marked" = ' ' ]
}
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  once "$1" "$2" && exit 0
  [ "$2" = KILL ] || exit 0
  sleep 0.1
done
exit 1
`;

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
/** How often a container is looked at meanwhile. Milliseconds. */
const pollIntervalMs = 100;

/** True where it comes in time. */
async function isWithin(clock: Clock, ms: number, what: Promise<unknown>): Promise<boolean> {
  let cancel = (): void => undefined;
  const late = new Promise<boolean>((resolve) => {
    cancel = clock.after(ms, () => resolve(false));
  });
  const inTime = await Promise.race([what.then(() => true), late]);
  cancel();
  return inTime;
}
