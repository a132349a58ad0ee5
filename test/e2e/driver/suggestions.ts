import type { Page } from 'playwright-core';

import { clickUntil } from './until.ts';

/** The list of suggestions that opens while somebody types in an editor. */
export interface Suggestions {
  /** Waits until the list offers an entry, and clicks it. `shown` is called in between. */
  choose(label: string, shown?: () => Promise<unknown>): Promise<void>;
}

export function createSuggestions(page: Page): Suggestions {
  const list = page.locator('.suggest-widget.visible');
  const row = (label: string) =>
    list
      .locator('.monaco-list-row')
      .filter({ has: page.locator('.label-name').getByText(label, { exact: true }) });
  return {
    async choose(label, shown) {
      await row(label).first().waitFor();
      await shown?.();
      // The entry, not the list: what was taken may open the list of its values at once.
      await clickUntil(row(label).first(), async () => !(await row(label).first().isVisible()));
    },
  };
}
