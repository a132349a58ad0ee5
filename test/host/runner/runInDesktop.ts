import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

import { runTests, TestRunFailedError } from '@vscode/test-electron';

import { projectRoot } from '../../../scripts/projectRoot.ts';
import { resultsVariable } from './hostResults.ts';
import type { HostRun } from './hostRun.ts';

/**
 * Runs the suite in desktop VS Code. `which` is `stable`, `oldest` (what `engines.vscode` asks for), a version, or the
 * path of an installed VS Code's executable.
 */
export async function runInDesktop(run: HostRun, which: string): Promise<void> {
  try {
    await runTests({
      ...(isAbsolute(which) ? { vscodeExecutablePath: which } : { version: await versionOf(which) }),
      extensionDevelopmentPath: run.extensionDir,
      extensionTestsPath: run.suite,
      extensionTestsEnv: { PINCER_HOME: run.home, [resultsVariable]: run.results },
      launchArgs: [run.workspace, '--disable-extensions', '--disable-workspace-trust', '--disable-telemetry'],
      timeout: 30_000,
    });
  } catch (error) {
    // The results name the failed tests; where there are none, the caller says so.
    if (!(error instanceof TestRunFailedError)) throw error;
    console.error(error.message);
  }
}

async function versionOf(which: string): Promise<string> {
  if (which !== 'oldest') return which;
  const manifest = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as {
    engines: { vscode: string };
  };
  return manifest.engines.vscode.replace(/^[^\d]*/u, '');
}
