import type { Locator, Page } from 'playwright-core';

import { clickOnce, isInTime, tryMs, until } from './until.ts';

/** Notifications: toasts while they show (about ten seconds), then the list behind the bell. */
export interface Notifications {
  /** Waits until a notification contains this text, opening the bell's list when its toast is gone; gives all that it says. */
  waitFor(text: string | RegExp): Promise<string>;
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

/** How long other toasts keep the list behind the bell closed: they may stay, with one behind them that is looked for. Milliseconds. */
const othersGrace = 10_000;

/** A click that has not come through by then finds another state. Milliseconds. */
const clickGrace = 1_000;

export function createNotifications(page: Page): Notifications {
  const items = page.locator('.notification-list-item');
  const toasts = page.locator('.notification-toast .notification-list-item');
  const center = page.locator('.notifications-center');
  const bell = page.locator('.statusbar-item[id="status.notifications"]');
  const unread = bell.locator('.codicon-bell-dot');
  const itemWith = (text: string | RegExp): Locator => items.filter({ hasText: text, visible: true }).first();

  /** The list keeps the rows of what was cleared, and says only in its title that there is nothing. */
  const isEmpty = (): Promise<boolean> => center.getByText('No New Notifications').isVisible();

  /** The list comes a moment after the click; another click by then would close it. */
  async function openCenter(): Promise<void> {
    await until('the list of the notifications', async () => {
      if (await center.isVisible()) return true;
      await isInTime(() => bell.click({ timeout: tryMs }));
      // Where the mouse rests on the bell, its hover covers the buttons.
      await page.mouse.move(0, 0);
      return await isInTime(() => center.waitFor({ timeout: tryMs }));
    });
  }

  async function waitFor(text: string | RegExp): Promise<string> {
    const began = performance.now();
    return await until(`a notification with ${String(text)}`, async () => {
      const [said] = await itemWith(text).allInnerTexts();
      if (said !== undefined) return said;
      const waited = performance.now() - began;
      if (waited > othersGrace || (waited > toastGrace && (await toasts.count()) === 0)) await openCenter();
      return false;
    });
  }

  const buttonsOf = (text: string | RegExp): Locator =>
    itemWith(text).locator('.notification-list-item-buttons-container .monaco-button');

  return {
    waitFor,
    async click(text, button) {
      // A toast stays for as long as the mouse is on it.
      await clickOnce(itemWith(text).getByRole('button', { name: button, exact: true }), async () => {
        await waitFor(text);
        await itemWith(text).hover({ timeout: tryMs });
      });
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
      return await until(`the buttons of ${String(text)}`, async () => {
        await waitFor(text);
        const found = await buttonsOf(text).allInnerTexts();
        return found.length > 0 && found;
      });
    },
    countToasts: async (text) => await toasts.filter({ hasText: text }).count(),
    async texts() {
      const isAny = (await items.count()) > 0 || (await unread.isVisible());
      if (isAny) await openCenter();
      if (await isEmpty()) return [];
      return await items.locator('.notification-list-item-message').allInnerTexts();
    },
    async clearAll() {
      const button = (name: RegExp): Locator => center.getByRole('button', { name });
      let wasEmpty = false;
      await until('the notifications to be cleared', async () => {
        if (await center.isVisible()) {
          wasEmpty = await isEmpty();
          await isInTime(() => button(wasEmpty ? /^Hide/u : /^Clear All/u).click({ timeout: clickGrace }));
          return false;
        }
        if (wasEmpty || ((await items.count()) === 0 && !(await unread.isVisible()))) return true;
        await openCenter();
        return false;
      });
    },
  };
}
