import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { launchBrowser } from '../../scripts/editorHost/launchBrowser.ts';
import { provisionBrowser, provisionEditorHost } from '../../scripts/editorHost/provision.ts';
import { createTempDir, startServer, type RunningServer } from '../../scripts/editorHost/startServer.ts';
import { projectRoot } from '../../scripts/projectRoot.ts';
import { until } from '../e2e/driver/until.ts';
import { writeFolder } from '../e2e/driver/writeFiles.ts';
import type { Bench, Figure } from './bench.ts';
import { medianFigure } from './medianFigure.ts';
import { readActivationStats, type ActivationStats } from './readActivationStats.ts';
import { readLogFigures } from './readLogFigures.ts';

const windows = 8;

const pincerId = 'pincer-dev.pincer';
/**
 * VS Code activates in the order of the ids and counts the time an extension waits for the ones before it. So the empty one
 * comes first: after Pincer it would be charged with Pincer's time and make it look free.
 */
const emptyId = 'bench.empty';
const emptyExtension = {
  'package.json': JSON.stringify({
    publisher: 'bench',
    name: 'empty',
    version: '0.0.1',
    engines: { vscode: '^1.100.0' },
    main: './extension.js',
    activationEvents: ['onStartupFinished'],
    extensionKind: ['workspace'],
    // Else it does not run in a window that nobody trusts.
    capabilities: { untrustedWorkspaces: { supported: true } },
  }),
  'extension.js': 'exports.activate = () => undefined;\n',
};

/** What Pincer costs a window that starts, by its own clock and by VS Code's beside an empty extension. */
export const bench: Bench = {
  name: 'activation',
  needsEditor: true,
  async run() {
    const tempDir = await createTempDir();
    const workspace = join(tempDir, 'workspace');
    const empty = join(tempDir, 'empty');
    await writeFolder(workspace, { files: { 'README.md': '# Boat\n' } });
    await writeFolder(empty, { files: emptyExtension });
    const server = await startServer(await provisionEditorHost(console.log), {
      tempDir,
      extensions: [{ folder: empty }, { folder: projectRoot }],
      pincerHome: join(tempDir, 'home'),
      settings: { 'workbench.startupEditor': 'none', 'update.mode': 'none' },
    });
    try {
      return await measure(server, `${server.url}/?folder=${workspace}`);
    } finally {
      await server.dispose();
    }
  },
};

async function measure(server: RunningServer, url: string): Promise<readonly Figure[]> {
  const browser = await launchBrowser(await provisionBrowser(console.log), {
    profileDir: join(server.tempDir, 'browser'),
    isTimed: true,
  });
  try {
    const page = browser.pages()[0] ?? (await browser.newPage());
    const ofPincer: number[] = [];
    const ofEmpty: number[] = [];
    const ofOwnClock: number[] = [];
    const ofProcessor: number[] = [];
    for (let window = 1; window <= windows; window += 1) {
      await page.goto(url);
      ofOwnClock.push(await untilLogged(server, window, 'Activated in'));
      ofProcessor.push(await untilLogged(server, window, 'Processor time of activation:'));
      const [pincer, empty] = await readActivationStats(page, [pincerId, emptyId]);
      ofPincer.push(total(pincer));
      ofEmpty.push(total(empty));
      await closeWindow(page);
    }
    const differences = ofPincer.map((each, window) => each - (ofEmpty[window] ?? Number.NaN));
    return [
      medianFigure('activate() by its own clock', 'ms', ofOwnClock, { below: 15 }),
      medianFigure('activate() in processor time', 'ms', ofProcessor, { below: 10 }),
      medianFigure("Pincer by VS Code's clock", 'ms', ofPincer),
      medianFigure("an empty extension by VS Code's clock", 'ms', ofEmpty),
      medianFigure('difference', 'ms', differences, { below: 30 }),
    ];
  } finally {
    await browser.close();
  }
}

/** Waits for a line that Pincer writes at the end of `activate`, and gives its figure. */
async function untilLogged(server: RunningServer, windowCount: number, label: string): Promise<number> {
  const logs = join(server.userDataDir, 'logs');
  return await until(
    `“${label}” of window ${windowCount}`,
    async () => {
      const figures = await readLogFigures(logs, label);
      return figures.length >= windowCount && figures.at(-1);
    },
    { timeout: 60_000 },
  );
}

/** The figure that "Developer: Show Running Extensions" shows. */
function total(stats: ActivationStats | undefined): number {
  return stats === undefined ? Number.NaN : stats.loadCode + stats.callActivate;
}

/** Ends the window's extension host too. */
async function closeWindow(page: Page): Promise<void> {
  await page.goto('about:blank');
}
