import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { projectRoot } from '../../scripts/projectRoot.ts';

/** How a process ended and what it wrote. */
export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCli {
  readonly done: Promise<CliRun>;
  /** Gives standard output once it holds `text`. Rejects when the process ends without it. */
  waitForOutput(text: string): Promise<string>;
  /** The same for standard error. */
  waitForError(text: string): Promise<void>;
  interrupt(signal?: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): void;
  /** As `kill -9` does. */
  kill(): void;
  /** Closes our end of its standard output, as `head` does. */
  stopReading(): void;
}

export interface CliOptions {
  /** Added to the environment; undefined takes a variable out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: the workspace of the world. */
  readonly workspace?: string;
  /** False: no --state-dir is named. */
  readonly hasState?: false;
  /** True: it runs at a terminal, at which nobody types. */
  readonly hasTerminal?: true;
}

/** A machine of its own for `dist/cli.js`: folders, environment, and a home folder that must not be touched. */
export interface CliWorld {
  /** A folder beside the workspace, where the processes run. */
  readonly folder: string;
  readonly workspace: string;
  /** What PINCER_HOME names. */
  readonly home: string;
  /** What --state-dir names. */
  readonly state: string;
  /** What HOME names. Its config is broken, and its plugins write `marker` when they run. */
  readonly realHome: string;
  readonly marker: string;
  /** Runs a command on the workspace to its end. */
  run(args: readonly string[], options?: CliOptions): Promise<CliRun>;
  /** The same with `--json`: standard output must be one JSON value. */
  json(args: readonly string[], options?: CliOptions): Promise<CliRun & { readonly value: unknown }>;
  start(args: readonly string[], options?: CliOptions): RunningCli;
  /** Writes files, given by their path below `folder`. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Writes a replay script, one turn a line, and gives the name of its model. */
  replay(...turns: readonly object[]): Promise<string>;
  /**
   * Stops what still runs and removes everything.
   * @throws Error when a process has read the real home folder or left temporary files.
   */
  close(): Promise<void>;
}

/** Each test runs on what ships, not on the sources. `cliFile` is where that lies. */
export async function openCliWorld(cliFile = join(projectRoot, 'dist', 'cli.js')): Promise<CliWorld> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-cli-')));
  const folder = join(root, 'folder');
  const at = (name: string): string => join(root, name);
  const workspace = join(folder, 'workspace');
  await Promise.all([workspace, at('home'), at('tmp')].map((each) => mkdir(each, { recursive: true })));
  const marker = at('marker');
  await writeFiles(root, realHomeFiles(marker));
  const running = new Set<ChildProcess>();
  let scripts = 0;

  const environment: Readonly<Record<string, string | undefined>> = {
    PATH: process.env['PATH'],
    // Hundreds of processes compile the same bundle.
    NODE_COMPILE_CACHE: join(projectRoot, 'node_modules', '.cache', 'pincer-cli'),
    HOME: at('real-home'),
    USERPROFILE: at('real-home'),
    TMPDIR: at('tmp'),
    TEMP: at('tmp'),
    PINCER_HOME: at('home'),
  };

  const start: CliWorld['start'] = (args, options = {}) => {
    const state = options.hasState === false ? [] : ['--state-dir', at('state')];
    const where = ['--workspace', options.workspace ?? workspace, ...state];
    const command = [process.execPath, cliFile, ...args, ...where];
    const inTerminal = [
      'script',
      '--quiet',
      '--return',
      '--command',
      command.map(quoted).join(' '),
      '/dev/null',
    ];
    const [program, ...programArgs] = options.hasTerminal === true ? inTerminal : command;
    const child = spawn(program ?? '', programArgs, {
      cwd: folder,
      env: { ...environment, ...options.env },
      // Its end would be the end of what is typed.
      stdio: [options.hasTerminal === true ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      // Below the limit of a test: what hangs is to say so by what it has printed.
      timeout: 200_000,
      killSignal: 'SIGKILL',
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    return follow(child);
  };
  const run: CliWorld['run'] = (args, options) => start(args, options).done;

  return {
    folder,
    workspace,
    home: at('home'),
    state: at('state'),
    realHome: at('real-home'),
    marker,
    start,
    run,
    async json(args, options) {
      const ended = await run([...args, '--json'], options);
      return { ...ended, value: parseOutput(ended) };
    },
    write: (files) => writeFiles(folder, files),
    async replay(...turns) {
      scripts += 1;
      const name = `script-${scripts}.jsonl`;
      await writeFiles(folder, { [name]: turns.map((turn) => `${JSON.stringify(turn)}\n`).join('') });
      return `replay:${name}`;
    },
    async close() {
      for (const child of running) child.kill('SIGKILL');
      const left = await readdir(at('tmp'));
      const hasReadHome = existsSync(marker);
      await rm(root, { recursive: true, force: true });
      if (hasReadHome) throw new Error('A plugin of the real home folder ran.');
      if (left.length > 0) throw new Error(`Left in the temporary folder: ${left.join(', ')}`);
    },
  };
}

/** One word of a shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

function parseOutput(run: CliRun): unknown {
  try {
    return JSON.parse(run.stdout);
  } catch (cause) {
    throw new Error(`No JSON, code ${String(run.code)}:\n${run.stdout}\n${run.stderr}`, { cause });
  }
}

function follow(child: ChildProcess): RunningCli {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const done = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  const waitFor = async (text: string, stream: Readable | null, said: () => string): Promise<void> => {
    while (!said().includes(text)) {
      const more = stream === null ? done : once(stream, 'data');
      const ended = await Promise.race([more.then(() => undefined), done]);
      if (ended !== undefined && !said().includes(text))
        throw new Error(`Ended with ${String(ended.code)} and without “${text}”:\n${stdout}\n${stderr}`);
    }
  };
  return {
    done,
    async waitForOutput(text) {
      await waitFor(text, child.stdout, () => stdout);
      return stdout;
    },
    waitForError: (text) => waitFor(text, child.stderr, () => stderr),
    interrupt: (signal = 'SIGINT') => void child.kill(signal),
    kill: () => void child.kill('SIGKILL'),
    stopReading: () => void child.stdout?.destroy(),
  };
}

/** A config that can't be read as one, and plugins that leave a mark when they are loaded. */
function realHomeFiles(marker: string): Record<string, string> {
  const plugin = (folder: string): Record<string, string> => ({
    [`real-home/${folder}/openclaw.plugin.json`]: JSON.stringify({
      id: 'trap',
      configSchema: { type: 'object' },
    }),
    [`real-home/${folder}/index.js`]: `require('node:fs').writeFileSync(${JSON.stringify(marker)}, ''); module.exports = () => {};`,
  });
  return {
    'real-home/.pincer/config.jsonc': '{ this is the real home folder',
    ...plugin('.pincer/plugins/trap'),
    ...plugin('.openclaw/extensions/trap'),
  };
}

async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}
