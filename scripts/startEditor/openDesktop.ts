import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { downloadAndUnzipVSCode } from '@vscode/test-electron';

import { PincerError } from '../../src/base/errors.ts';
import { projectRoot } from '../projectRoot.ts';

export interface DesktopOptions {
  readonly executable: string;
  /** The folder to open. */
  readonly folder: string;
  /** Keeps settings and extensions apart from the user's: for a VS Code that was downloaded for this. */
  readonly apart: boolean;
}

/** Opens desktop VS Code with the extension from this folder; resolves with its exit code when its window closes. */
export async function openDesktop(options: DesktopOptions): Promise<number> {
  const { executable } = options;
  const args = desktopArgs(options);
  const isWindows = process.platform === 'win32';
  const child = isWindows
    ? spawn(
        `"${executable}"`,
        args.map((arg) => `"${arg}"`),
        { stdio: 'inherit', shell: true },
      )
    : spawn(executable, args, { stdio: 'inherit' });
  const stop = (): void => void child.kill();
  process.once('exit', stop);
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(
        new PincerError('no_editor', `${executable} does not start: ${cause.message}`, {
          hint: 'Set VSCODE_PATH to the executable of VS Code, or run `npm start -- --editor-host`.',
          cause,
        }),
      ),
    );
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  process.off('exit', stop);
  return code;
}

function desktopArgs({ folder, apart }: DesktopOptions): string[] {
  const data = join(projectRoot, '.vscode-test', 'start-desktop');
  const isRoot = process.getuid?.() === 0;
  return [
    folder,
    `--extensionDevelopmentPath=${projectRoot}`,
    '--new-window',
    '--wait',
    ...(apart || isRoot
      ? [`--user-data-dir=${join(data, 'user')}`, `--extensions-dir=${join(data, 'extensions')}`]
      : []),
    // VS Code refuses to run as root with its sandbox or with the default folders.
    ...(isRoot ? ['--no-sandbox'] : []),
  ];
}

/**
 * Downloads the newest VS Code, or finds it in .vscode-test, and gives its executable.
 * @throws Error soon when the download site cannot be reached.
 */
export async function downloadDesktop(): Promise<string> {
  const cachePath = join(projectRoot, '.vscode-test');
  return await downloadAndUnzipVSCode({ version: 'stable', cachePath, timeout: 5_000 });
}
