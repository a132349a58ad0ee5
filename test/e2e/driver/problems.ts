import type { Locator, Page } from 'playwright-core';

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
      if (await panel.isVisible()) return;
      await page.keyboard.press('ControlOrMeta+Shift+M');
      await panel.waitFor();
    },
    row,
    async fix(text, title) {
      await row(text).click();
      // The light bulb takes the place of the row's icon once VS Code has asked for its fixes.
      await row(text).locator('.codicon-light-bulb, .codicon-lightbulb, .codicon-lightbulb-autofix').click();
      await page.locator('.action-widget, .monaco-menu').getByText(title, { exact: true }).first().hover();
      await page.keyboard.press('Enter');
    },
  };
}
