import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A program of this folder in a process of its own. */
export interface TestProcess {
  /** Its next line; undefined when it has ended. */
  next(): Promise<string | undefined>;
  tell(line: string): void;
  /** `kill -9`; or waits for it to do that itself. Rejects where it ended otherwise. Gives the lines that nobody has read. */
  killed(mode: 'now' | 'by itself'): Promise<readonly string[]>;
}

/** @param cache folder where processes keep for one another what they have compiled: most of a start's time */
export function startProcess(cache: string, program: string, args: readonly string[] = []): TestProcess {
  const child = spawn(process.execPath, ['--no-warnings', join(import.meta.dirname, program), ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const next = async (): Promise<string | undefined> => {
    const line = await lines.next();
    return line.done === true ? undefined : line.value;
  };
  return {
    next,
    tell: (line) => void child.stdin.write(`${line}\n`),
    async killed(mode) {
      if (mode === 'now') child.kill('SIGKILL');
      const rest: string[] = [];
      for (let line = await next(); line !== undefined; line = await next()) rest.push(line);
      const [code, signal] = await ended;
      if (signal !== 'SIGKILL') throw new Error(`It ended by itself (${String(code)}): ${errors}`);
      return rest;
    },
  };
}
