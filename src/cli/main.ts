import { readFileSync, writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import { originalOf } from '../plugins/load/ensureSnapshot.ts';
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
 * Threat: a plugin shares the process. One that calls `process.exit(0)` would make a turn that never ended look like a success; one
 * that listens for `exit` may take our own listener away, or give a command that failed another code. Whatever ends the process in
 * order comes through `reallyExit`, `process.exit` itself too. So that is replaced, and knows what the command came to.
 */
function guardExit(): { exit(code: ExitCode): void } {
  const leave = process.exit.bind(process);
  const { reallyExit } = process as unknown as { reallyExit: (code: ExitCode) => void };
  let ended: ExitCode | undefined;
  const settle = (): ExitCode => {
    if (ended !== undefined) return ended;
    ended = exitCodes.failed;
    const place = callerOf(new Error().stack ?? '');
    const at = place === undefined ? '' : ` (${originalOf(place) ?? place})`;
    const plugin = pluginAt(place ?? '');
    const who = plugin === undefined ? 'Something, most likely a plugin,' : `The plugin ${plugin}`;
    const message = `${who} ended the process before the command was done${at}.`;
    const hint =
      plugin === undefined
        ? 'pincer plugins list names the plugins that run; disable one to find out.'
        : 'Take process.exit() out of its code: a plugin must throw or return instead.';
    // Nothing that waits is written any more.
    writeSync(process.stderr.fd, toErrorText({ code: 'ended_early', message, hint }));
    return ended;
  };
  Reflect.set(process, 'reallyExit', () => reallyExit.call(process, settle()));
  // For who imports it by its name.
  syncBuiltinESMExports();
  // Where nothing is left to do, nobody calls `process.exit`.
  process.on('exit', () => {
    process.exitCode = settle();
  });
  return {
    exit(code) {
      ended = code;
      try {
        leave(code);
      } finally {
        // A handler of a plugin threw, or it replaced what `leave` ends with.
        reallyExit.call(process, code);
      }
    },
  };
}

/** The first place of a stack that is neither Node's nor our own: `/home/me/.pincer/…/index.js:3`. Pure. */
function callerOf(stack: string): string | undefined {
  const places = [
    ...stack.matchAll(/(?:\(|at )(?:file:\/\/)?(\/[^\s():]+|[A-Z]:\\[^():]+):(\d+):\d+\)?$/gmu),
  ];
  const other = places.find(([, path = '']) => !path.startsWith(import.meta.dirname));
  return other === undefined ? undefined : `${other[1] ?? ''}:${other[2] ?? ''}`;
}

/** The id of a plugin by a path in the copy that it runs from; undefined for every other path. Pure. */
function pluginAt(path: string): string | undefined {
  const folder = /[\\/]plugin-snapshots[\\/]p-(?<id>[^\\/]+)/u.exec(path)?.groups?.['id'];
  try {
    return folder === undefined ? undefined : decodeURIComponent(folder);
  } catch {
    // The names of long ids are cut.
    return folder;
  }
}

async function run(): Promise<ExitCode> {
  if (Number(process.versions.node.split('.')[0]) < oldestNode) {
    const message = `pincer needs Node ${oldestNode} or newer; this is ${process.versions.node}.`;
    output.err(
      toErrorText({ code: 'node_too_old', message, hint: 'npm ci installs one: use npx node dist/cli.js.' }),
    );
    return exitCodes.usage;
  }
  try {
    return await createProgram(output, ownVersion()).run(process.argv.slice(2));
  } catch (error) {
    output.err(toErrorText(toProblem(error)));
    return exitCodes.failed;
  }
}

/** As the package says it that this file ships in. */
function ownVersion(): string {
  const file = join(import.meta.dirname, '..', 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}

function reportBackground(thrown: unknown): void {
  const message = `Something failed in the background: ${errorMessage(thrown)}`;
  output.err(toErrorText({ code: 'background', message }));
}
