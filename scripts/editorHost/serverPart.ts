import { writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';

import { PincerError } from '../../src/base/errors.ts';
import type { Part } from './ensurePart.ts';
import { pins } from './pins.ts';
import { refuseProposedApi } from './refuseProposedApi.ts';
import { runStep, timed, type Report } from './runStep.ts';

/** The folder of the VS Code server inside the part. */
export const serverFolder = join('node_modules', 'code-server', 'lib', 'vscode');

/** The VS Code server with its native modules compiled for `node`, whose package also holds the headers; no proposed API for us. */
export function serverPart(node: string, nodeVersion: string, report: Report): Part {
  const { codeServer, natives, strictFor } = pins;
  return {
    name: 'server',
    stamp: JSON.stringify({
      codeServer,
      natives,
      strictFor,
      node: nodeVersion,
      platform: process.platform,
      arch: process.arch,
    }),
    build: async (dir) => {
      const problem = missingTools();
      if (problem !== undefined) throw problem;
      await writeFile(
        join(dir, 'package.json'),
        JSON.stringify({ private: true, dependencies: { 'code-server': codeServer } }),
      );
      const env = npmEnv(node);
      const vscode = join(dir, serverFolder);
      await timed(report, `VS Code server ${pins.vscode}`, () =>
        runStep('npm', ['install', '--ignore-scripts', '--no-package-lock'], { cwd: dir, env }),
      );
      await refuseProposedApi(vscode, strictFor);
      await timed(report, 'Its modules', () =>
        runStep('npm', ['install', '--omit=dev', '--ignore-scripts'], { cwd: vscode, env }),
      );
      await timed(report, 'Its native modules (compiling)', () =>
        runStep('npm', ['rebuild', '--ignore-scripts=false', ...natives], { cwd: vscode, env }),
      );
    },
  };
}

/** npm's environment without what an outer `npm run` added, with `node` first on PATH and its headers for node-gyp. */
export function npmEnv(node: string): NodeJS.ProcessEnv {
  const outer = Object.entries(process.env).filter(
    ([key]) =>
      !/^npm_(package|lifecycle|config_(omit|include|local_prefix|ignore_scripts|global))/u.test(key),
  );
  return {
    ...Object.fromEntries(outer),
    PATH: `${dirname(node)}:${process.env['PATH'] ?? ''}`,
    npm_config_nodedir: dirname(dirname(node)),
  };
}

/** What has to be installed before the server's modules can be compiled; undefined where nothing is missing. */
export function missingTools(): PincerError | undefined {
  const names = ['make', 'g++', 'python3'];
  const missing = names.filter((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status !== 0);
  if (missing.length === 0) return undefined;
  return new PincerError(
    'setup_tools_missing',
    `The editor host needs ${missing.join(', ')} to compile five modules.`,
    {
      hint: 'Install a C++ compiler, make and Python 3 (Debian, Ubuntu: apt-get install build-essential python3), then run it again.',
    },
  );
}
