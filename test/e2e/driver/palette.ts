import type { Locator, Page } from 'playwright-core';

import { clickOnce, isHeardBy, isInTime, tryMs, until, whole } from './until.ts';

/** The command palette and the other lists and boxes that open in its place. */
export interface Palette {
  /** Runs a command by its full title, `Pincer: Show status`. */
  run(title: string): Promise<void>;
  /** Opens a file by its name; where others have the same, by its path. */
  openFile(name: string, path?: string): Promise<void>;
  /** Chooses an entry of the list that is open. */
  pick(label: string): Promise<void>;
  /** Fills in the box that is open, or that opens within `timeout` milliseconds, and accepts it. */
  enter(text: string, options?: { readonly timeout: number }): Promise<void>;
  /** Names a folder without folders of its own in the dialog that asks for one, and clicks the dialog's button. */
  enterFolder(path: string, button: string): Promise<void>;
  /** The labels of the list that is open. */
  entries(): Promise<string[]>;
}

export function createPalette(page: Page): Palette {
  const widget = page.locator('.quick-input-widget');
  const box = widget.locator('input.input');
  // A list that was open before keeps its rows, hidden.
  const row = (label: string): Locator =>
    widget
      .locator('.monaco-list-row')
      // Its whole name: what was typed is an element of its own in longer ones.
      .filter({ has: page.locator('.label-name').filter({ hasText: whole(label) }), visible: true });

  const entries = async (): Promise<string[]> =>
    await widget.locator('.monaco-list-row .label-name').filter({ visible: true }).allInnerTexts();

  /**
   * What opens in an editor at that moment takes the focus, and the palette closes; filled in while it opens, it may stay empty. Either
   * way it is opened again. Enter takes the entry, not the mouse: a click that is given up may still arrive, and then it is done twice.
   */
  const choose = async (text: string, label: string): Promise<void> => {
    await until(`${label} in the palette`, async () => {
      if (!(await box.isVisible())) await page.keyboard.press('F1');
      const isThere = await isInTime(async () => {
        await box.fill(text, { timeout: tryMs });
        await row(label).first().waitFor({ timeout: tryMs });
        const hasFocus = row(label).and(page.locator('.focused'));
        // Others whose names fit as well may stand above it.
        for (let above = 0; above < 10 && !(await hasFocus.isVisible()); above += 1)
          await page.keyboard.press('ArrowDown');
        await hasFocus.waitFor({ timeout: tryMs });
      });
      if (isThere) return await isHeardBy(box, () => page.keyboard.press('Enter'), { entry: label });
      if (await box.isVisible()) await page.keyboard.press('Escape');
      return false;
    });
  };

  return {
    run: (title) => choose(`>${title}`, title),
    openFile: (name, path = name) => choose(path, name),
    async pick(label) {
      await clickOnce(row(label).first());
    },
    async enter(text, options) {
      await until(`${JSON.stringify(text)} to be entered`, async () => {
        await box.fill(text, options);
        return await isHeardBy(box, () => page.keyboard.press('Enter'));
      });
    },
    async enterFolder(path, button) {
      const seen = async (): Promise<string> => (await entries()).join();
      // It writes its first folder into the box once it has looked into it; what was filled in before would be lost.
      const isReady = async (): Promise<boolean> =>
        (await box.inputValue()).endsWith('/') && (await entries()).length > 0;
      await until('the dialog to show a folder', isReady);
      await box.fill(`${path}/`);
      await until(`the dialog to open ${path}`, async () => (await seen()) === '..', { seen });
      await clickOnce(widget.getByRole('button', { name: button, exact: true }));
    },
    entries,
  };
}
