import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PincerError } from '../../src/base/errors.ts';
import type { EditorHost } from './provision.ts';
import { runStep } from './runStep.ts';

export interface ServerOptions {
  /** The extension: a folder with package.json (linked, not copied), or a `.vsix` file. Several folders may be given. */
  readonly extensions: readonly ExtensionSource[];
  /** Becomes PINCER_HOME of the extension host; without it the variable stays as it is. */
  readonly pincerHome?: string;
  /** More of the extension host's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Honours the test payload of the URL, shows no toasts, trusts every folder: for the suite inside the host only. */
  readonly driver?: boolean;
  /** Where VS Code keeps settings and state. Default: a folder that goes with the server. */
  readonly userDataDir?: string;
  /** User settings, written before the start. Makes a settings file of its own, so not for a kept `userDataDir`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** A folder of `createTempDir` that ends with the server. Default: a new one. */
  readonly tempDir?: string;
  /** A port or a range to take the first free one of. Default: any free one. */
  readonly port?: string;
  /** A file that receives the server's output too. */
  readonly logFile?: string;
}

export type ExtensionSource = { readonly folder: string } | { readonly vsix: string };

export interface RunningServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** A folder that is removed with the server, for whatever belongs to this run. */
  readonly tempDir: string;
  /** Where VS Code keeps settings, state and logs. */
  readonly userDataDir: string;
  /** What the server has printed so far. */
  log(): string;
  /** Resolves when the server has ended, by `dispose` or by itself. */
  readonly ended: Promise<void>;
  /** Ends every process of the server and removes its files. */
  dispose(): Promise<void>;
}

const startLimitMs = 60_000;
const guard = join(import.meta.dirname, 'guard.ts');

/**
 * Starts a VS Code server on the loopback interface with fresh folders and waits until it listens. It ends with `dispose`
 * or with this process, however that ends.
 * @throws PincerError `editor_host_failed` with its output when it does not come up.
 */
export async function startServer(host: EditorHost, options: ServerOptions): Promise<RunningServer> {
  const tempDir = options.tempDir ?? (await createTempDir());
  const dirs = await prepareFolders(tempDir, options);
  const serverArgs = [join(host.server, 'out', 'server-main.js'), ...folderArgs(dirs)];
  for (const source of options.extensions) {
    if ('vsix' in source) {
      await runStep(host.node, [...serverArgs, '--install-extension', source.vsix], { cwd: tempDir });
    }
  }
  const child = spawn(host.node, [guard, tempDir, host.node, ...serverArgs, ...listenArgs(options)], {
    cwd: tempDir,
    env: serverEnv(options, dirs.sockets),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const log = collectOutput(child, options.logFile);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const dispose = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  try {
    const port = await listening(child, log);
    return {
      url: `http://127.0.0.1:${port}`,
      port,
      tempDir,
      userDataDir: dirs.userData,
      log,
      ended,
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** A new folder for one run of the server. */
export async function createTempDir(): Promise<string> {
  return await mkdtemp(join(tmpdir(), 'pincer-editor-'));
}

interface Folders {
  readonly userData: string;
  readonly serverData: string;
  readonly extensions: string;
  readonly sockets: string;
}

async function prepareFolders(tempDir: string, options: ServerOptions): Promise<Folders> {
  const folders = {
    userData: options.userDataDir ?? join(tempDir, 'user-data'),
    serverData: join(tempDir, 'server-data'),
    extensions: join(tempDir, 'extensions'),
    sockets: join(tempDir, 'run'),
  };
  await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { recursive: true })));
  if (options.settings !== undefined) {
    const userDir = join(folders.userData, 'User');
    await mkdir(userDir, { recursive: true });
    await writeFile(join(userDir, 'settings.json'), JSON.stringify(options.settings, null, 2));
  }
  // A folder that comes after the first start is ignored, so the links are made before it.
  for (const source of options.extensions) {
    if ('folder' in source) await linkExtension(source.folder, folders.extensions);
  }
  return folders;
}

async function linkExtension(folder: string, extensionsDir: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
  const { publisher = '', name = '', version = '' } = manifest;
  await symlink(folder, join(extensionsDir, `${publisher}.${name}-${version}`), 'dir');
}

function folderArgs(dirs: Folders): string[] {
  return [
    ...['--user-data-dir', dirs.userData, '--server-data-dir', dirs.serverData],
    ...['--extensions-dir', dirs.extensions],
  ];
}

function listenArgs(options: ServerOptions): string[] {
  return [
    ...['--host', '127.0.0.1', '--port', options.port ?? '0', '--without-connection-token'],
    ...['--accept-server-license-terms', '--telemetry-level', 'off'],
    ...(options.driver === true ? ['--enable-smoke-test-driver', '--disable-workspace-trust'] : []),
  ];
}

function serverEnv(options: ServerOptions, sockets: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    // The server and its git leave their sockets behind: they go with the other files.
    XDG_RUNTIME_DIR: sockets,
    ...(options.pincerHome === undefined ? {} : { PINCER_HOME: options.pincerHome }),
    ...options.env,
  };
}

function collectOutput(child: ChildProcess, logFile: string | undefined): () => string {
  let output = '';
  const file = logFile === undefined ? undefined : createWriteStream(logFile);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      file?.write(chunk);
    });
  }
  child.once('close', () => file?.end());
  return () => output;
}

function listening(child: ChildProcess, log: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void =>
      reject(new PincerError('editor_host_failed', `The editor host ${reason}.\n${log().trim()}`));
    const timer = setTimeout(() => fail('did not come up in a minute'), startLimitMs);
    child.once('close', () => fail('ended while starting'));
    child.stdout?.on('data', () => {
      const port = /Extension host agent listening on (\d+)/u.exec(log())?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    });
    child.once('close', () => clearTimeout(timer));
  });
}
