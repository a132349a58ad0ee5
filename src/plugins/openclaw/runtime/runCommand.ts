// Threat: a plugin builds a command from what a model or a page said. There is no shell here, so nothing in an argument is
// read as another command; output and time are capped, and the whole process group ends with the command.
import { spawn, type ChildProcess } from 'node:child_process';
import { errorMessage } from '../../../base/errors.ts';
import type { RunCommandOptions, RunCommandResult } from '../../../sdk/types.ts';

const maxCommandTimeoutMs = 600_000;
const maxCommandOutput = 200_000;

/** How long a program may go on after it was asked to end. */
const graceMs = 2_000;

export type RunCommand = (argv: readonly string[], options: RunCommandOptions) => Promise<RunCommandResult>;

/**
 * Runs a program without a shell and waits for its end.
 * @throws Error where it can not be started; an exit code is no error
 */
export const runCommand: RunCommand = (argv, options) => {
  const [program, ...args] = argv;
  if (program === undefined || program === '') return Promise.reject(new Error('The command is empty.'));
  return new Promise((resolve, reject) => {
    const isGroup = process.platform !== 'win32';
    const child = spawn(program, args, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: { ...process.env, ...options.env },
      detached: isGroup,
      windowsHide: true,
      stdio: 'pipe',
    });
    let ended: RunCommandResult['termination'] | undefined;
    const timers: ReturnType<typeof setTimeout>[] = [];
    const end = (why: 'timeout' | 'abort'): void => {
      ended ??= why;
      kill(child, isGroup, 'SIGTERM');
      timers.push(setTimeout(() => kill(child, isGroup, 'SIGKILL'), graceMs));
    };
    const onAbort = (): void => end('abort');
    timers.push(setTimeout(() => end('timeout'), timeoutIn(options.timeoutMs)));
    if (options.signal?.aborted === true) onAbort();
    options.signal?.addEventListener('abort', onAbort, { once: true });
    const settle = (finish: () => void): void => {
      for (const timer of timers) clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
      finish();
    };
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    child.on('error', (error) =>
      settle(() => reject(new Error(`Could not run ${program}: ${errorMessage(error)}`, { cause: error }))),
    );
    child.on('close', (code, signal) =>
      settle(() =>
        resolve({
          code,
          signal,
          stdout: stdout(),
          stderr: stderr(),
          killed: ended !== undefined,
          termination: ended ?? (signal === null ? 'exit' : 'signal'),
        }),
      ),
    );
    // A program that ends without reading its input is no error.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
};

function timeoutIn(ms: unknown): number {
  return typeof ms === 'number' && ms > 0 ? Math.min(ms, maxCommandTimeoutMs) : maxCommandTimeoutMs;
}

/** Keeps the beginning; the rest is read and dropped, so that the program does not block. */
function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    if (text.length < maxCommandOutput) text = (text + chunk).slice(0, maxCommandOutput);
  });
  return () => text;
}

function kill(child: ChildProcess, isGroup: boolean, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(isGroup ? -child.pid : child.pid, signal);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!isGone) throw error;
  }
}
