import { spawn } from 'node:child_process';

import { PincerError } from '../../src/base/errors.ts';

/** Receives one line for the person who waits. */
export type Report = (line: string) => void;

export interface StepOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs a program of the set-up to its end and keeps its output to itself unless it fails.
 * @throws PincerError `setup_failed` with the last lines of the output when it ends with another code than 0.
 */
export async function runStep(
  command: string,
  args: readonly string[],
  options: StepOptions,
): Promise<string> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = (): void => void child.kill();
  process.once('exit', stop);
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code === 0) return output;
    throw new Error(`ended with code ${String(code)}`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const tail = output.trim().split('\n').slice(-25).join('\n');
    throw new PincerError('setup_failed', `\`${command} ${args.join(' ')}\` failed: ${reason}\n${tail}`, {
      hint: 'Fix what the output above names, then run the same command again: finished steps are kept.',
      cause,
    });
  } finally {
    process.off('exit', stop);
  }
}

/** Runs `work` and reports its name when it begins and its seconds when it is done. */
export async function timed<T>(report: Report, name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  report(`  ${name} …`);
  const result = await work();
  report(`  ${name}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
  return result;
}
