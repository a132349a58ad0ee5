import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { launchBrowser } from '../../scripts/editorHost/launchBrowser.ts';
import { provisionBrowser, provisionEditorHost } from '../../scripts/editorHost/provision.ts';
import { createTempDir, startServer } from '../../scripts/editorHost/startServer.ts';
import { packExtension } from '../../scripts/package.ts';
import { writeFolder } from '../e2e/driver/writeFiles.ts';
import type { Bench } from './bench.ts';
import { medianFigure } from './medianFigure.ts';

const machines = 10;

/**
 * From a window that opens with the packed extension just installed to the first useful answer, each time on a machine that has
 * never seen it: no model, no account, no document read, and no click. The user types a question into what has the focus, and Enter; a
 * dialog or a sign-in in between makes it fail.
 */
export const bench: Bench = {
  name: 'firstContact',
  needsEditor: true,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'pincer-bench-'));
    try {
      const { file } = await packExtension({ file: join(folder, 'pincer.vsix') });
      const starts: Start[] = [];
      for (let machine = 0; machine < machines; machine += 1) starts.push(await startCold(file));
      return [
        medianFigure(
          'window to the chat with @pincer',
          'ms',
          starts.map(({ chat }) => chat),
        ),
        medianFigure(
          'window to the first answer',
          'ms',
          starts.map(({ answer }) => answer),
        ),
        {
          name: 'the slowest of them',
          unit: 'ms',
          value: Math.max(...starts.map(({ answer }) => answer)),
          below: 30_000,
        },
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Milliseconds since the window was opened. */
interface Start {
  readonly chat: number;
  readonly answer: number;
}

async function startCold(vsix: string): Promise<Start> {
  const tempDir = await createTempDir();
  const workspace = join(tempDir, 'workspace');
  await writeFolder(workspace, { copyOf: 'examples/workspace' });
  await mkdir(join(tempDir, 'home'));
  const server = await startServer(await provisionEditorHost(console.log), {
    tempDir,
    extensions: [{ vsix }],
    pincerHome: join(tempDir, 'home'),
    // VS Code's own page stays in front, as on any new machine.
    settings: { 'update.mode': 'none' },
  });
  try {
    const browser = await launchBrowser(await provisionBrowser(console.log), {
      profileDir: join(tempDir, 'browser'),
      isTimed: true,
    });
    try {
      return await ask(browser.pages()[0] ?? (await browser.newPage()), `${server.url}/?folder=${workspace}`);
    } finally {
      await browser.close();
    }
  } finally {
    await server.dispose();
  }
}

async function ask(page: Page, url: string): Promise<Start> {
  const start = performance.now();
  await page.goto(url);
  await page
    .locator('.interactive-session .chat-input-container .monaco-editor.focused')
    .getByText('@pincer')
    .waitFor();
  const chat = performance.now() - start;
  await page.keyboard.type('Why are times on disk in UTC?');
  await page.keyboard.press('Enter');
  await page.locator('.interactive-response').getByText('two 02:30 in October').waitFor();
  return { chat, answer: performance.now() - start };
}
