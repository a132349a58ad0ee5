import type { Locator, Page } from 'playwright-core';

import { isInTime, tryMs, until } from './until.ts';

/** VS Code's Problems panel. */
export interface Problems {
  open(): Promise<void>;
  /** The row with this text. */
  row(text: string | RegExp): Locator;
  /** Opens the quick fixes of a row and takes the one with this title. */
  fix(text: string | RegExp, title: string): Promise<void>;
}

export function createProblems(page: Page): Problems {
  const panel = page.locator('.markers-panel');
  const row = (text: string | RegExp): Locator =>
    panel.locator('.monaco-list-row').filter({ hasText: text }).first();
  return {
    async open() {
      await until('the Problems panel', async () => {
        if (!(await panel.isVisible())) await page.keyboard.press('ControlOrMeta+Shift+M');
        return await isInTime(() => panel.waitFor({ timeout: tryMs }));
      });
    },
    row,
    async fix(text, title) {
      const bulb = row(text).locator('.codicon-light-bulb, .codicon-lightbulb, .codicon-lightbulb-autofix');
      const fix = page.locator('.action-widget, .monaco-menu').getByText(title, { exact: true }).first();
      await until(`the fix ${title}`, async () => {
        // The light bulb takes the place of the row's icon once VS Code has asked for its fixes; a row that is drawn anew has none.
        const isThere = await isInTime(async () => {
          if (!(await fix.isVisible())) {
            await row(text).click({ timeout: tryMs });
            await bulb.click({ timeout: tryMs });
          }
          await fix.hover({ timeout: tryMs });
        });
        if (isThere) await page.keyboard.press('Enter');
        return isThere;
      });
    },
  };
}
