import { errorMessage, PincerError } from '../base/errors.ts';
import type { OutputListener, OutputStream, ProcessExit, RunningProcess } from '../host/processes.ts';
import type { CommandPlan, Pipeline, SimpleCommand } from '../shell/commandPlan.ts';

/** Starts one program of a plan. Rejects with what the shell would have said. */
type StartStep = (command: SimpleCommand, hasInput: boolean) => Promise<RunningProcess>;

/** A plan that runs: the group of each of its programs is reached by `kill`. */
export interface PlanRun {
  /** How the last pipeline that ran ended: as its last program. Never rejects. */
  readonly exit: Promise<ProcessExit>;
  onOutput(listener: OutputListener): void;
  /** To the first program of the step that runs now. @throws PincerError `process_input_closed` */
  write(bytes: Uint8Array): Promise<void>;
  endInput(): void;
  /** Reaches everything that runs. After SIGTERM or SIGKILL no further step starts. */
  kill(signal: 'SIGTERM' | 'SIGKILL' | 'SIGINT'): void;
}

const encoder = new TextEncoder();

/**
 * Runs a plan step by step, without any shell. Statuses, conditions and the wait for a whole pipeline are those of bash
 * without `pipefail`. Where both streams of a program are redirected, each target means the stream as it was before.
 */
export function runPlan(plan: CommandPlan, start: StartStep, hasInput: boolean): PlanRun {
  const output = createOutput();
  let members: readonly RunningProcess[] = [];
  /** The first program of the step; whoever writes while it comes up waits for it. */
  let reader: Promise<RunningProcess | undefined> = Promise.resolve(undefined);
  let stopSignal: 'SIGTERM' | 'SIGKILL' | undefined;
  let isInputOpen = hasInput;

  const startMember = async (command: SimpleCommand, isFirst: boolean): Promise<Member> => {
    try {
      const running = await start(command, isFirst ? isInputOpen : true);
      members = [...members, running];
      // It came up while everything was being ended.
      if (stopSignal !== undefined) running.kill(stopSignal);
      return { command, running };
    } catch (error) {
      return { command, failure: toFailure(command, error) };
    }
  };
  const runPipeline = async (pipeline: Pipeline): Promise<ProcessExit> => {
    members = [];
    const row: Member[] = [];
    for (const [at, command] of pipeline.entries()) {
      const member = startMember(command, at === 0);
      if (at === 0) reader = member.then((found) => ('running' in found ? found.running : undefined));
      row.push(await member);
    }
    const exits = await Promise.all(row.map((member, at) => connect(member, row[at + 1], output.emit)));
    return exits.at(-1) ?? { code: 0, signal: undefined };
  };
  const runSteps = async (): Promise<ProcessExit> => {
    let last: ProcessExit = { code: 0, signal: undefined };
    for (const { when, pipeline } of plan.steps) {
      if (stopSignal !== undefined) return { code: undefined, signal: stopSignal };
      if (last.signal === 'SIGINT') return last;
      if (when === 'always' || (when === 'success') === (last.code === 0)) last = await runPipeline(pipeline);
    }
    return last;
  };

  return {
    exit: runSteps(),
    onOutput: output.onOutput,
    async write(bytes) {
      const taker = isInputOpen ? await reader : undefined;
      await (taker ?? nobody).write(bytes);
    },
    endInput() {
      isInputOpen = false;
      void reader.then((running) => running?.endInput());
    },
    kill(signal) {
      if (signal !== 'SIGINT') stopSignal = signal;
      for (const each of members) each.kill(signal);
    },
  };
}

type Member =
  | { readonly command: SimpleCommand; readonly running: RunningProcess }
  | { readonly command: SimpleCommand; readonly failure: { readonly text: string; readonly code: number } };

type Emit = (stream: OutputStream, bytes: Uint8Array) => Promise<void>;

/** Lets a program's output flow to where the plan says, and gives how it ended. */
async function connect(member: Member, next: Member | undefined, emit: Emit): Promise<ProcessExit> {
  const { command } = member;
  const taker = next !== undefined && 'running' in next ? next.running : undefined;
  const intoOutput = async (bytes: Uint8Array, from: OutputStream): Promise<void> => {
    if (next === undefined) {
      await emit('stdout', bytes);
      return;
    }
    try {
      await (taker ?? nobody).write(bytes);
    } catch {
      // The next program has gone or takes no more: this one meets a broken pipe, as it would under a shell.
      if ('running' in member) member.running.breakPipe(from);
    }
  };
  const targets = {
    output: intoOutput,
    errors: (bytes: Uint8Array) => emit('stderr', bytes),
    nothing: () => Promise.resolve(),
  };
  const sinks = {
    stdout:
      targets[command.stdout === undefined ? 'output' : command.stdout === 'null' ? 'nothing' : 'errors'],
    stderr:
      targets[command.stderr === undefined ? 'errors' : command.stderr === 'null' ? 'nothing' : 'output'],
  };
  const exit = await ('running' in member ? follow(member.running, sinks) : tell(member.failure, sinks));
  taker?.endInput();
  return exit;
}

type Sinks = Readonly<Record<OutputStream, (bytes: Uint8Array, from: OutputStream) => Promise<void>>>;

async function follow(running: RunningProcess, sinks: Sinks): Promise<ProcessExit> {
  running.onOutput((stream, bytes) => sinks[stream](bytes, stream));
  return await running.exit;
}

/** A program that could not be started says so where its error output goes. */
async function tell(
  failure: { readonly text: string; readonly code: number },
  sinks: Sinks,
): Promise<ProcessExit> {
  await sinks.stderr(encoder.encode(failure.text), 'stderr');
  return { code: failure.code, signal: undefined };
}

const nobody: Pick<RunningProcess, 'write'> = {
  write: () => Promise.reject(new PincerError('process_input_closed', 'Nothing takes input now.')),
};

/** The codes of shells: 127 where there is no such program, 126 where it can't be run. */
function toFailure(command: SimpleCommand, error: unknown): { readonly text: string; readonly code: number } {
  const isMissing = error instanceof PincerError && error.code === 'process_not_found';
  return { text: `${command.argv[0]}: ${errorMessage(error)}\n`, code: isMissing ? 127 : 126 };
}

/** One listener may come late: the output waits for it, and with it the programs. */
function createOutput(): { readonly emit: Emit; readonly onOutput: PlanRun['onOutput'] } {
  const listeners: OutputListener[] = [];
  let opened: () => void = () => undefined;
  const open = new Promise<void>((resolve) => (opened = resolve));
  return {
    async emit(stream, bytes) {
      if (listeners.length === 0) await open;
      for (const listener of listeners) await listener(stream, bytes);
    },
    onOutput(listener) {
      listeners.push(listener);
      opened();
    },
  };
}
