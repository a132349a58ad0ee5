import type { Locator, Page } from 'playwright-core';

import { clickUntil, isHeardBy, isInTime, tryMs, until } from './until.ts';

/** Answers the dialog in the middle of the window with this button. */
export async function answerDialog(page: Page, button: string | RegExp): Promise<void> {
  const answer = page.locator('.monaco-dialog-box').getByRole('button', { name: button, exact: true });
  await answer.waitFor();
  await clickUntil(answer, async () => !(await answer.isVisible()));
}

/**
 * Opens a menu and takes an entry of it. A menu ignores a click that comes right after it opened; the keyboard is taken once the entry
 * has it. `open` is done again where the menu does not come, or comes without the entry.
 */
export async function takeEntry(page: Page, entry: Locator, open: () => Promise<unknown>): Promise<void> {
  await until(`the entry ${String(entry)} to be taken`, async () => {
    const hasKeyboard = await isInTime(async () => {
      if (!(await entry.isVisible())) await open();
      await entry.hover({ timeout: tryMs });
      await entry.and(page.locator(':focus')).waitFor({ timeout: tryMs });
    });
    if (hasKeyboard) return await isHeardBy(entry, () => page.keyboard.press('Enter'));
    await page.mouse.move(0, 0);
    await page.keyboard.press('Escape');
    return false;
  });
}
