import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { PincerError } from '../base/errors.ts';
import { pincerHome } from '../config/configPaths.ts';
import type { Log, LogLevel } from '../host/ports.ts';
import { createInMemorySecrets } from '../host/memory/inMemorySecrets.ts';
import type { Runtime } from '../runtime/index.ts';
import type { ApprovalMode } from '../approvals/decideAsk.ts';
import type { Output } from './output.ts';

export interface CliOptions {
  readonly workspace: string;
  readonly stateDir?: string | undefined;
  readonly verbose?: boolean | undefined;
  readonly approve?: ApprovalMode | undefined;
}

/** The same runtime as the editor's, on one folder. */
export async function openCliRuntime(options: CliOptions, output: Output): Promise<Runtime> {
  const { createDiskFiles, createNodeHost, createRuntime } = await import('../runtime/index.ts');
  const host = createNodeHost({
    secrets: createInMemorySecrets(),
    log: createCliLog(output, options.verbose === true),
  });
  const folder = resolve(options.workspace);
  if ((await host.fs.stat(folder))?.kind !== 'directory') {
    throw new PincerError('workspace_missing', `There is no folder ${folder}.`, {
      hint: 'Name one with --workspace.',
    });
  }
  const home = pincerHome(host.env, homedir());
  const canAsk = options.approve !== 'deny' && process.stdin.isTTY && process.stderr.isTTY;
  return await createRuntime({
    host,
    home,
    stateFolder:
      options.stateDir === undefined ? join(home, 'state', folderHash(folder)) : resolve(options.stateDir),
    dist: import.meta.dirname,
    surface: 'cli',
    folders: [folder],
    isTrusted: true,
    approve: options.approve ?? 'ask',
    canAsk,
    reservedCommands: ['tool'],
    files: createDiskFiles(host.fs),
    fileLink: (path, line) => (line === undefined ? path : `${path}:${String(line)}`),
  });
}

function folderHash(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 16);
}

function createCliLog(output: Output, isVerbose: boolean): Log {
  const shown: readonly LogLevel[] = isVerbose ? ['debug', 'info', 'warn', 'error'] : ['error'];
  return {
    write(level, message) {
      if (shown.includes(level)) output.err(`${level}: ${message}\n`);
    },
  };
}
