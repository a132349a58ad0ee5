// Threat: a command leaves children behind that outlive it, or a signal meant for it reaches a stranger that got its number.
// Every process leads a group of its own, signals go to that group, and none is sent once it is known to be gone.
import { spawn, type ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { win32 } from 'node:path';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { OutputListener, Processes, ProcessExit, ProcessRequest, RunningProcess } from '../processes.ts';
import { codeOf } from './systemErrors.ts';
import { nodeHasMarkedProcess, nodeKillMarked, nodeNoteDescendants } from './nodeProcessGroups.ts';
import { nodeProcessTimes, systemRoot, type StartTimeOf } from './nodeProcessTimes.ts';

/** How long what is left in the pipes may take to be read once everything was killed. Milliseconds. */
const drainMs = 100;

/** The real processes of this machine. */
export function createNodeProcesses(): Processes {
  const { platform } = process;
  const startTimeOf = nodeProcessTimes();
  const signalGroup = platform === 'win32' ? endTree : signalPosix;
  return {
    ownPid: process.pid,
    start: (request) => start(request, { startTimeOf, signalGroup }),
    startTimeOf,
    hasMarkedProcess: nodeHasMarkedProcess(platform, groupMayExist),
    killGroup: signalGroup,
    killMarked: nodeKillMarked(platform, killOne),
    noteDescendants: nodeNoteDescendants(platform, killOne),
  };
}

type GroupSignal = 'SIGTERM' | 'SIGKILL' | 'SIGINT' | 'SIGPIPE';

interface Machine {
  readonly startTimeOf: StartTimeOf;
  readonly signalGroup: (pid: number, signal: GroupSignal) => void;
}

async function start(request: ProcessRequest, machine: Machine): Promise<RunningProcess> {
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(request.file, request.args, {
        cwd: request.cwd,
        env: request.env,
        // A group of its own. On Windows that would be a console window of its own; trees are ended there by parentage.
        detached: process.platform !== 'win32',
        stdio: [request.hasInput === true ? 'pipe' : 'ignore', 'pipe', 'pipe'],
        windowsHide: true,
        windowsVerbatimArguments: request.isVerbatim === true,
      });
      child.once('error', reject);
      child.once('spawn', () => resolve(toRunning(child, machine)));
    });
  } catch (error) {
    throw await toStartError(request, error);
  }
}

/** A folder that is not there looks to the system like a program that is not there. */
async function toStartError(request: ProcessRequest, cause: unknown): Promise<PincerError> {
  const isFolder = await stat(request.cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder)
    return new PincerError('process_failed', `The folder ${request.cwd} does not exist.`, { cause });
  if (codeOf(cause) === 'ENOENT') {
    return new PincerError('process_not_found', `There is no program ${request.file}.`, {
      hint: 'Check its name, and that it is installed.',
      cause,
    });
  }
  return new PincerError('process_failed', `${request.file} could not be started: ${errorMessage(cause)}`, {
    cause,
  });
}

function toRunning(child: ChildProcess, machine: Machine): RunningProcess {
  const pid = child.pid ?? 0;
  let hasClosed = false;
  let isKilled = false;
  const exit = new Promise<ProcessExit>((resolve) => {
    child.once('close', (code, signal) => {
      hasClosed = true;
      resolve({ code: code ?? undefined, signal: signal ?? undefined });
    });
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  /** What has left the group still holds the pipes, and would for as long as it likes. */
  const letGo = (): void => {
    setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, drainMs).unref();
  };
  child.once('exit', () => {
    if (isKilled) letGo();
  });
  // A number that belongs to nobody any more may be somebody else's by the time the answer comes.
  const startTime = machine.startTimeOf(pid).then((time) => (hasEnded() ? undefined : time));
  const { input, endInput } = wireInput(child);
  return {
    pid,
    startTime,
    exit,
    onOutput: wireOutput(child),
    breakPipe(stream) {
      // The pipes of Node are sockets: closing one alone would be an error to the writer instead of the usual quiet end.
      if (!hasClosed && process.platform !== 'win32') machine.signalGroup(pid, 'SIGPIPE');
      child[stream]?.destroy();
    },
    write: input,
    endInput,
    kill(signal) {
      if (hasClosed) return;
      machine.signalGroup(pid, signal);
      if (signal !== 'SIGKILL') return;
      isKilled = true;
      if (hasEnded()) letGo();
    },
  };
}

function wireInput(child: ChildProcess): Pick<RunningProcess, 'endInput'> & {
  readonly input: RunningProcess['write'];
} {
  const { stdin } = child;
  // A broken pipe reaches the write that met it; as an event it would end this process.
  stdin?.on('error', () => undefined);
  return {
    input: (bytes) =>
      new Promise((resolve, reject) => {
        if (stdin?.writable !== true) {
          reject(inputClosed());
          return;
        }
        stdin.write(bytes, (error) => {
          if (error == null) resolve();
          else reject(inputClosed(error));
        });
      }),
    endInput: () => void stdin?.end(),
  };
}

function inputClosed(cause?: Error): PincerError {
  return new PincerError('process_input_closed', 'It takes no input any more.', { cause });
}

/** Holds back what comes before the first listener, and reads no faster than listeners take it. */
function wireOutput(child: ChildProcess): RunningProcess['onOutput'] {
  const listeners: OutputListener[] = [];
  const held: (() => void)[] = [];
  const sources = (['stdout', 'stderr'] as const).map((name) => ({ name, source: child[name] }));
  for (const { name, source } of sources) {
    const deliver = (bytes: Uint8Array): void => {
      const waits = listeners.map((listener): unknown => listener(name, bytes)).filter(isPromise);
      if (waits.length === 0) return;
      source?.pause();
      const goOn = (): void => void source?.resume();
      Promise.all(waits).then(goOn, goOn);
    };
    source?.on('error', () => undefined);
    source?.on('data', (bytes: Uint8Array) => {
      if (listeners.length > 0) {
        deliver(bytes);
        return;
      }
      held.push(() => deliver(bytes));
      // Once it has ended Node reads the rest, which is bounded: else nobody would learn of the end while nobody reads.
      if (child.exitCode === null && child.signalCode === null) source.pause();
    });
  }
  const resume = (): void => {
    for (const { source } of sources) source?.resume();
  };
  return (listener) => {
    listeners.push(listener);
    if (listeners.length > 1) return;
    resume();
    for (const each of held.splice(0)) each();
  };
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}

function signalPosix(pid: number, signal: GroupSignal): void {
  const target = groupTarget(pid, process.pid);
  if (target === undefined) return;
  try {
    process.kill(target, signal);
  } catch (error) {
    // Nobody there, or nobody whom we may signal: macOS says the latter of a group that is about to be gone.
    if (!['ESRCH', 'EPERM'].includes(codeOf(error) ?? '')) throw error;
  }
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended since it was found, or is none of ours to signal.
    if (!['ESRCH', 'EPERM'].includes(codeOf(error) ?? '')) throw error;
  }
}

/** Signal 0 only asks. */
function groupMayExist(pid: number): boolean {
  const target = groupTarget(pid, process.pid);
  if (target === undefined) return false;
  try {
    return process.kill(target, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/**
 * What `kill` takes for the group of a leader; undefined for what is none: to the system 0 is our own group and −1 everybody.
 * Pure, so that its test signals nobody.
 */
export function groupTarget(pid: number, ownPid: number): number | undefined {
  return Number.isSafeInteger(pid) && pid > 1 && pid !== ownPid ? -pid : undefined;
}

/** Console programs have no polite end on Windows: only `/F` reaches them, the first try is for those with a window. */
function endTree(pid: number, signal: string): void {
  const force = signal === 'SIGKILL' ? ['/F'] : [];
  const tool = win32.join(systemRoot(), 'System32', 'taskkill.exe');
  const child = spawn(tool, ['/T', ...force, '/PID', String(pid)], { stdio: 'ignore', windowsHide: true });
  child.on('error', () => undefined);
}
