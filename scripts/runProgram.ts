import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { projectRoot } from './projectRoot.ts';

export interface ProgramOptions {
  /** Default: the project folder. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Keeps the output instead of showing it. */
  readonly captured?: boolean;
}

export interface ProgramResult {
  readonly code: number;
  /** Standard output and error as they came; empty unless captured. */
  readonly output: string;
}

/** Runs a JavaScript program with this Node. It ends with this process. */
export async function runProgram(
  script: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  const stdio = options.captured === true ? 'pipe' : 'inherit';
  const child = spawn(process.execPath, [script, ...args], {
    cwd: options.cwd ?? projectRoot,
    env: { ...process.env, ...options.env },
    stdio: ['inherit', stdio, stdio],
  });
  const stop = (): void => void child.kill();
  process.once('exit', stop);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  process.off('exit', stop);
  return { code, output };
}

/** The path of a program inside an installed package. */
export function programOf(...path: readonly string[]): string {
  return join(projectRoot, 'node_modules', ...path);
}

/** Builds dist/. Gives the exit code. */
export async function buildExtension(): Promise<number> {
  const { code } = await runProgram(join(projectRoot, 'esbuild.mjs'), []);
  return code;
}
