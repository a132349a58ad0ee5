import type { Locator, Page } from 'playwright-core';

import { isInTime, until } from './until.ts';

/** Notifications: toasts while they show (about ten seconds), then the list behind the bell. */
export interface Notifications {
  /** Waits until a notification contains this text, opening the bell's list when its toast is gone. */
  waitFor(text: string | RegExp): Promise<Locator>;
  /** Clicks a button of the notification that contains this text. */
  click(text: string | RegExp, button: string): Promise<void>;
  /**
   * Answers a question with a button. A yes in the first half second does not count and the question comes back, so it is said
   * again until `isDone`.
   */
  decide(text: string, button: string, isDone: () => Promise<boolean>): Promise<void>;
  /** The texts of the buttons of the notification that contains this text. */
  buttons(text: string | RegExp): Promise<string[]>;
  /** How many notifications with this text are shown as toasts. */
  countToasts(text: string | RegExp): Promise<number>;
  /** The texts of all that are there, also of those whose toast is gone. */
  texts(): Promise<string[]>;
  /** Closes every notification. */
  clearAll(): Promise<void>;
}

/** How long a new notification may take to show as a toast before it is looked for behind the bell. Milliseconds. */
const toastGrace = 2_000;

/** A click that has not come through by then finds another state. Milliseconds. */
const clickGrace = 1_000;

export function createNotifications(page: Page): Notifications {
  const items = page.locator('.notification-list-item');
  const toasts = page.locator('.notification-toast .notification-list-item');
  const center = page.locator('.notifications-center');
  const bell = page.locator('.statusbar-item[id="status.notifications"]');
  const unread = bell.locator('.codicon-bell-dot');

  async function waitFor(text: string | RegExp): Promise<Locator> {
    const item = items.filter({ hasText: text, visible: true }).first();
    const toastsAreGone = performance.now() + toastGrace;
    await until(`a notification with ${String(text)}`, async () => {
      if (await item.isVisible()) return true;
      const isBehindBell = performance.now() > toastsAreGone && (await toasts.count()) === 0;
      if (isBehindBell && !(await center.isVisible())) {
        await bell.click();
        // Where the mouse rests on the bell, its hover covers the buttons.
        await page.mouse.move(0, 0);
      }
      return false;
    });
    return item;
  }

  return {
    waitFor,
    async click(text, button) {
      const item = await waitFor(text);
      await item.getByRole('button', { name: button, exact: true }).click();
    },
    async decide(text, button, isDone) {
      const clickable = items
        .filter({ hasText: text, visible: true })
        .getByRole('button', { name: button, exact: true });
      await waitFor(text);
      await until(`the answer ${button} to count`, async () => {
        if (await isDone()) return true;
        // It goes with the answer, maybe in this moment.
        await isInTime(() => clickable.first().click({ timeout: clickGrace }));
        return false;
      });
    },
    async buttons(text) {
      const item = await waitFor(text);
      return await item.locator('.notification-list-item-buttons-container .monaco-button').allInnerTexts();
    },
    countToasts: async (text) => await toasts.filter({ hasText: text }).count(),
    async texts() {
      const isAny = (await items.count()) > 0 || (await unread.isVisible());
      if (isAny && !(await center.isVisible())) await bell.click();
      return await items.locator('.notification-list-item-message').allInnerTexts();
    },
    async clearAll() {
      const clear = center.getByRole('button', { name: /^Clear All/u });
      // One that goes by itself in the meantime leaves nothing to clear, and the centre open.
      await until('the notifications to be cleared', async () => {
        if ((await items.count()) > 0 || (await unread.isVisible())) {
          if (!(await center.isVisible())) await bell.click();
          await isInTime(() => clear.click({ timeout: clickGrace }));
          return false;
        }
        if (await center.isVisible()) await bell.click();
        return true;
      });
    },
  };
}
