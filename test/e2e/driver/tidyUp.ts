import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Workbench } from './openWorkbench.ts';
import { isInTime, tryMs, until } from './until.ts';

/** How long the last turn of a test may take to end. Milliseconds. */
const endMs = 5_000;

/**
 * Brings a window that a test has used to where a new window begins, but for its chat, as its user would: no notification, no editor,
 * no panel, the explorer in the side bar.
 * @throws Error where a turn still runs, or something does not close
 */
export async function tidyUp({ page, chat, editors, notifications, palette }: Workbench): Promise<void> {
  // What a test waited for last may come a moment before its turn ends.
  await until('the turn to end', async () => !(await chat.isRunning()), { timeout: endMs });
  await page.mouse.move(0, 0);
  await page.keyboard.press('Escape');
  await notifications.clearAll();
  if ((await editors.tabs()).length > 0) {
    await palette.run('View: Close All Editors');
    const unsaved = page.locator('.monaco-dialog-box').getByRole('button', { name: "Don't Save" });
    await until('the editors to close', async () => {
      if (await unsaved.isVisible()) await isInTime(() => unsaved.click({ timeout: 1_000 }));
      return (await editors.tabs()).length === 0;
    });
  }
  const panel = page.locator('.part.panel');
  await until('the panel to close', async () => {
    if (await panel.isVisible()) await page.keyboard.press('ControlOrMeta+J');
    return await isInTime(() => panel.waitFor({ state: 'hidden', timeout: tryMs }));
  });
  await until('the explorer', async () => {
    await page.keyboard.press('ControlOrMeta+Shift+E');
    return await isInTime(() => page.locator('.explorer-folders-view').waitFor({ timeout: tryMs }));
  });
}

/** Has Pincer read config and plugins again, and waits until the status bar says that it did. */
export async function rereadAll({ page, palette }: Workbench): Promise<void> {
  const done = page.locator('.statusbar').getByText('config and plugins reloaded');
  // That of an earlier time goes by itself.
  await done.waitFor({ state: 'detached' });
  // It stands there for seconds only: a slow window must not look too late.
  await Promise.all([done.waitFor(), palette.run('Pincer: Reload All Plugins')]);
}

/**
 * Waits until the window has heard that files of its folder were laid anew: it keeps the text of a file that was open a while longer,
 * and would take what is on disk for a conflict. The explorer tells, which has to show.
 */
export async function untilHeard({ page, workspace }: Workbench): Promise<void> {
  // Before every other name in the list, so that it is among the rows that are drawn.
  const name = '!laid';
  const row = page.locator('.explorer-folders-view').getByText(name, { exact: true });
  await writeFile(join(workspace, name), '');
  await row.waitFor();
  await rm(join(workspace, name));
}
