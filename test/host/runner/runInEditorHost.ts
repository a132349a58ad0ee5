import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format } from 'node:util';

import type { BrowserContext } from 'playwright-core';

import { launchBrowser } from '../../../scripts/editorHost/launchBrowser.ts';
import { provisionBrowser, provisionEditorHost } from '../../../scripts/editorHost/provision.ts';
import { startServer, type RunningServer } from '../../../scripts/editorHost/startServer.ts';
import { testResultsDir } from '../../../scripts/projectRoot.ts';
import { resultsVariable } from './hostResults.ts';
import type { HostRun } from './hostRun.ts';

const limitMs = 300_000;
const logFile = join(testResultsDir, 'logs', 'host-suite.log');

/** Runs the suite in the VS Code server, which needs a browser to open the window that owns the extension host. */
export async function runInEditorHost(run: HostRun): Promise<void> {
  const host = await provisionEditorHost(console.log);
  const program = await provisionBrowser(console.log);
  const server = await startServer(host, {
    extensions: [],
    driver: true,
    pincerHome: run.home,
    env: { [resultsVariable]: run.results },
  });
  try {
    const browser = await launchBrowser(program, { profileDir: join(server.tempDir, 'browser') });
    await untilSuiteEnds(browser, server, run);
    await browser.close();
  } finally {
    await server.dispose();
  }
}

async function untilSuiteEnds(browser: BrowserContext, server: RunningServer, run: HostRun): Promise<void> {
  const page = browser.pages()[0] ?? (await browser.newPage());
  const ended = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The host suite did not end in ${limitMs / 1000} s: see ${logFile}.`)),
      limitMs,
    );
    const exit = (): void => {
      clearTimeout(timer);
      resolve();
    };
    void server.ended.then(() => reject(new Error(`The editor host ended by itself: see ${logFile}.`)));
    void page.exposeFunction('codeAutomationExit', exit).catch(reject);
    void page.exposeFunction('codeAutomationLog', createLog(logFile)).catch(reject);
  });
  await page.goto(suiteUrl(server, run));
  await ended;
}

/** The console of window and host as the workbench passes it on: a kind and console.log's own arguments. */
function createLog(file: string): (kind: string, args: readonly unknown[]) => void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  return (kind, args) => appendFileSync(file, `[${kind}] ${format(...args)}\n`);
}

function suiteUrl(server: RunningServer, run: HostRun): string {
  const remote = (path: string): string => `vscode-remote://127.0.0.1:${server.port}${path}`;
  const payload = [
    ['extensionDevelopmentPath', remote(run.extensionDir)],
    ['extensionTestsPath', remote(run.suite)],
  ];
  const query = new URLSearchParams({ folder: run.workspace, payload: JSON.stringify(payload) });
  return `${server.url}/?${query.toString()}`;
}
