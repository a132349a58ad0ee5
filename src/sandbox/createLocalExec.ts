// Threat: a line that was approved as one command means another to a shell. Where the line was understood whole, its programs
// are started with their arguments as they were read; a shell gets only lines that a person has read and allowed.
import { posix, win32 } from 'node:path';
import type { Clock, FileSystem } from '../host/ports.ts';
import type { Processes, RunningProcess } from '../host/processes.ts';
import type { CommandPlan, ShellKind, SimpleCommand } from '../shell/commandPlan.ts';
import { operationsClosed, programNotFound } from './sandboxErrors.ts';
import type { ExecOperations, ExecRequest, RunningCommand } from './execOperations.ts';
import { findProgram, withSafePath } from './findProgram.ts';
import { canCallProgram, planCmdCall, planProgramCall } from './planProgramCall.ts';
import { runPlan, type PlanRun } from './runPlan.ts';

interface LocalExecDeps extends ProgramDeps {
  readonly clock: Clock;
}

/** How long a command may take to end by itself once it was asked to. Milliseconds. */
const gracePeriodMs = 2_000;

/** Runs commands on the user's own machine. */
export function createLocalExec(deps: LocalExecDeps): ExecOperations {
  const { clock, platform } = deps;
  let isClosed = false;
  return {
    host: 'local',
    async start(given) {
      if (isClosed) throw operationsClosed();
      const request = { ...given, env: withSafePath({ platform, cwd: given.workdir, env: given.env }) };
      const { plan } = request;
      if (plan === undefined || !(await canRunPlan(deps, request, plan)))
        return toCommand(clock, await runInShell(deps, request));
      return { ...toCommand(clock, startPlan(deps, request, plan)), withoutShell: true };
    },
    dispose() {
      isClosed = true;
    },
  };
}

/**
 * On Windows some usual programs are there only for a shell: builtins such as `echo`, batch files with arguments that need its
 * quoting. The line was understood, so it means the same there.
 */
async function canRunPlan(deps: LocalExecDeps, request: ExecRequest, plan: CommandPlan): Promise<boolean> {
  if (deps.platform !== 'win32') return true;
  const search = { ...deps, env: request.env, cwd: request.workdir };
  for (const { argv } of plan.steps.flatMap((step) => step.pipeline)) {
    const [name, ...args] = argv;
    const path = await findProgram(search, name);
    if (path === undefined || !canCallProgram(deps.platform, path, args)) return false;
  }
  return true;
}

/** What a plan and a single process have in common. */
type Run = Pick<PlanRun, 'exit' | 'onOutput' | 'write' | 'endInput' | 'kill'>;

function startPlan(deps: ProgramDeps, { workdir, env, hasInput }: ExecRequest, plan: CommandPlan): Run {
  const rules = deps.platform === 'win32' ? win32 : posix;
  const cwd = rules.resolve(workdir, plan.folder ?? '.');
  const start = (command: SimpleCommand, takesInput: boolean): Promise<RunningProcess> => {
    const [name, ...args] = command.argv;
    return startProgram(deps, { cwd, env, hasInput: takesInput }, [name], args);
  };
  return runPlan(plan, start, hasInput);
}

async function runInShell(deps: ProgramDeps, request: ExecRequest): Promise<Run> {
  const { shell, command, workdir, env, hasInput } = request;
  const place = { cwd: workdir, env, hasInput };
  if (shell === 'cmd')
    return await deps.processes.start({ ...planCmdCall(deps.systemRoot, command), ...place });
  const { names, args } = planShellCall(shell, command);
  return await startProgram(deps, place, names, args);
}

const encoder = new TextEncoder();

function toCommand(clock: Clock, run: Run): RunningCommand {
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    run.kill('SIGTERM');
    const cancel = clock.after(gracePeriodMs, () => run.kill('SIGKILL'));
    await run.exit;
    cancel();
  };
  return {
    exit: run.exit,
    onOutput: (listener) => run.onOutput(listener),
    write: (text) => run.write(encoder.encode(text)),
    endInput: () => run.endInput(),
    interrupt: () => run.kill('SIGINT'),
    stop: () => (stopping ??= stop()),
  };
}

/** The programs that read this syntax, best first, and what they are given. `cmd` has its own way: see `planCmdCall`. */
interface ShellCall {
  readonly names: readonly string[];
  readonly args: readonly string[];
}

/**
 * Threat: a start-up file of the shell gives the words of an allowed line another meaning (an alias, a function), or simply talks into
 * the output. Bash reads its own whenever its input is a socket, which our pipes are.
 */
const calls: Readonly<Record<Exclude<ShellKind, 'cmd'>, ShellCall>> = {
  bash: { names: ['bash'], args: ['--noprofile', '--norc', '-c'] },
  zsh: { names: ['zsh'], args: ['--no-rcs', '-c'] },
  fish: { names: ['fish'], args: ['--no-config', '-c'] },
  pwsh: { names: ['pwsh', 'powershell'], args: ['-NoProfile', '-NonInteractive', '-Command'] },
};

/** How a shell is given a whole line, which reaches it as one argument; start-up files are left out. Pure. */
function planShellCall(shell: Exclude<ShellKind, 'cmd'>, line: string): ShellCall {
  const { names, args } = calls[shell];
  return { names, args: [...args, line] };
}

interface ProgramDeps {
  readonly processes: Processes;
  readonly fs: Pick<FileSystem, 'stat'>;
  readonly platform: NodeJS.Platform;
  /** The Windows folder; from the machine, never from what a call adds to the environment. */
  readonly systemRoot: string;
}

/** Where and with what a program runs. */
interface ProgramPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hasInput: boolean;
}

/**
 * Starts the first of `names` that is found, each argument reaching it as it is.
 * @throws PincerError `process_not_found`, `process_failed`, `argument_unsafe`
 */
export async function startProgram(
  { processes, fs, platform, systemRoot }: ProgramDeps,
  place: ProgramPlace,
  names: readonly string[],
  args: readonly string[],
): Promise<RunningProcess> {
  for (const name of names) {
    const path = await findProgram({ fs, platform, ...place }, name);
    if (path === undefined) continue;
    const call = planProgramCall(platform, systemRoot, path, args);
    return await processes.start({ ...call, ...place });
  }
  throw programNotFound(names[0] ?? '');
}
