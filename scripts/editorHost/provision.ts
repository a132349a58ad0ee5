import { join } from 'node:path';

import { PincerError } from '../../src/base/errors.ts';
import { projectRoot } from '../projectRoot.ts';
import { chromiumPart, chromiumProgram } from './chromiumPart.ts';
import { ensurePart, isPartReady, type Part } from './ensurePart.ts';
import { findSystemBrowser } from './findSystemBrowser.ts';
import { pinnedNode } from './pinnedNode.ts';
import type { Report } from './runStep.ts';
import { missingTools, serverFolder, serverPart } from './serverPart.ts';

/** What the editor host runs: absolute paths. */
export interface EditorHost {
  readonly node: string;
  /** The folder with `out/server-main.js`. */
  readonly server: string;
}

export interface Browser {
  readonly executable: string;
  /** What to add to its environment. */
  readonly env: Readonly<Record<string, string>>;
}

const cache = join(projectRoot, '.vscode-test', 'editor-host');

/**
 * The VS Code server, set up on the first call on a machine (about a minute, 600 MB) and found again afterwards.
 * @throws PincerError `editor_host_unavailable` on another system than Linux, `setup_*` when the set-up fails.
 */
export async function provisionEditorHost(report: Report): Promise<EditorHost> {
  requireLinux();
  const node = pinnedNode();
  const dir = await ensurePart(cache, pinnedServer(report), report);
  return { node: node.path, server: join(dir, serverFolder) };
}

/** Why the VS Code server is not here and can't be set up; undefined where it can, or where no one expects it. Sets nothing up. */
export async function editorHostProblem(): Promise<PincerError | undefined> {
  if (process.platform !== 'linux') return undefined;
  const isThere = await isPartReady(
    cache,
    pinnedServer(() => undefined),
  );
  return isThere ? undefined : missingTools();
}

function pinnedServer(report: Report): Part {
  const { path, version } = pinnedNode();
  return serverPart(path, version, announced(report, 'VS Code server (once, about a minute)'));
}

/** A browser to drive the workbench: the machine's own, else a headless Chromium from npm, set up on the first call. */
export async function provisionBrowser(report: Report): Promise<Browser> {
  const system = findSystemBrowser();
  if (system !== undefined) return { executable: system, env: {} };
  requireLinux();
  const dir = await ensurePart(
    cache,
    chromiumPart(pinnedNode().path, announced(report, 'browser (once, a few seconds)')),
    report,
  );
  return chromiumProgram(dir);
}

/** Says once what is being set up, before the first step. */
function announced(report: Report, what: string): Report {
  let first = true;
  return (line) => {
    if (first) report(`Setting up the ${what}:`);
    first = false;
    report(line);
  };
}

function requireLinux(): void {
  if (process.platform === 'linux') return;
  throw new PincerError(
    'editor_host_unavailable',
    `The editor host runs on Linux only, not on ${process.platform}.`,
    {
      hint: 'Use desktop VS Code instead: `npm start` and `npm run test:host` find it or download it. The browser tests (`npm run test:e2e`) need Linux.',
    },
  );
}
