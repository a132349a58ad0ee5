import { writeSync } from 'node:fs';
import { errorMessage } from '../base/errors.ts';
import { createProgram } from './createProgram.ts';
import { exitCodes, type ExitCode } from './exitCodes.ts';
import { toErrorText, type Output } from './output.ts';
import { toProblem } from './toProblem.ts';

const oldestNode = 22;
const streams = [process.stdout, process.stderr] as const;
// Taken now: while a command prints JSON, what plugins print goes elsewhere.
const writeOut = process.stdout.write.bind(process.stdout);
const output: Output = {
  out: (text) => void writeOut(text),
  err: (text) => void process.stderr.write(text),
};

void main();

async function main(): Promise<void> {
  const guard = guardExit();
  // Whoever reads our output may stop early, as `head` does.
  for (const stream of streams) stream.on('error', () => guard.exit(exitCodes.failed));
  // As in the editor, what a plugin has left running must not take the turn down with it. Rejections come here too.
  process.on('uncaughtException', reportBackground);
  // The timers of the host's clock keep no process alive; a run that waits for one of them must not end early.
  setInterval(() => undefined, 2 ** 31 - 1);

  const code = await run();
  await Promise.all(streams.map((stream) => new Promise<void>((done) => stream.write('', () => done()))));
  // Not left to the event loop: a plugin may hold a timer or a socket open.
  guard.exit(code);
}

/**
 * Threat: a plugin shares the process. One that calls `process.exit(0)` would make a turn that never ended look like a success.
 */
function guardExit(): { exit(code: ExitCode): void } {
  let isOver = false;
  process.on('exit', () => {
    if (isOver) return;
    const message = 'Something in this process, most likely a plugin, ended it before the command was done.';
    const hint = 'pincer plugins list names the plugins that run; disable one to find out.';
    // Nothing that waits is written any more.
    writeSync(process.stderr.fd, toErrorText({ code: 'ended_early', message, hint }));
    process.exitCode = exitCodes.failed;
  });
  return {
    exit(code) {
      isOver = true;
      process.exit(code);
    },
  };
}

async function run(): Promise<ExitCode> {
  if (Number(process.versions.node.split('.')[0]) < oldestNode) {
    const message = `pincer needs Node ${oldestNode} or newer; this is ${process.versions.node}.`;
    output.err(toErrorText({ code: 'node_too_old', message, hint: 'npm ci brings one: use npx pincer.' }));
    return exitCodes.usage;
  }
  try {
    return await createProgram(output).run(process.argv.slice(2));
  } catch (error) {
    output.err(toErrorText(toProblem(error)));
    return exitCodes.failed;
  }
}

function reportBackground(thrown: unknown): void {
  const message = `Something failed in the background: ${errorMessage(thrown)}`;
  output.err(toErrorText({ code: 'background', message }));
}
