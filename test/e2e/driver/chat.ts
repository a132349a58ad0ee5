import type { Locator, Page } from 'playwright-core';

import { patience } from '../../../scripts/editorHost/launchBrowser.ts';
import { isInTime, matches, until } from './until.ts';

/** The chat panel. "The answer" is always the one to the last message sent by this driver, or the newest one before that. */
export interface Chat {
  /** Types a message to @pincer (unless it begins with another `@name`) and sends it; resolves when the panel shows it. */
  send(text: string): Promise<void>;
  /** The answer's text so far. */
  answerText(): Promise<string>;
  /** The answer as a locator, for what has no method here. */
  answer(): Locator;
  /** Unfolds the steps of an answer that is done, until this one shows; gives the whole text. */
  unfoldSteps(step: string): Promise<string>;
  /** Waits until the answer, running or done, contains this. */
  waitForText(match: string | RegExp): Promise<string>;
  /** Waits until the answer is done and checks that it contains this; gives its whole text. */
  waitForAnswer(match?: string | RegExp): Promise<string>;
  isRunning(): Promise<boolean>;
  /** Whether it is as `Pincer: New Session` leaves it: no message, and an input that names @pincer and has the focus. */
  isNew(): Promise<boolean>;
  /** Empties the input, where the chat shows. */
  clearInput(): Promise<void>;
  /** Clicks a button, a command link or a file link of the answer by its text; waits for it so many milliseconds at the most. */
  click(label: string, timeout?: number): Promise<void>;
  /**
   * Answers the question that waits with the button or link of this label. A yes in the first half second does not count, so it
   * is said again until the answer stands there.
   */
  decide(label: string): Promise<void>;
  /** Stops the running request with the panel's own button. */
  cancel(): Promise<void>;
  /** The texts of the messages that were sent, oldest first, as far as the panel renders them. */
  messages(): Promise<string[]>;
}

/** How long the panel may take to render an answer after its end: less than `patience`, so that a wrong one fails soon. Milliseconds. */
const renderingMs = 15_000;

export function createChat(page: Page): Chat {
  const panel = page.locator('.interactive-session');
  const input = panel.locator('.chat-input-container .monaco-editor').first();
  const running = panel.locator('.chat-response-loading');
  /** The row of the last message that was sent; its answer is the next row. */
  let current: number | undefined;

  /** Messages by the index of their row: the list has its rows in any order, and the one that sticks to the top twice. */
  async function requests(): Promise<{ index: number; text: string }[]> {
    const found = await panel.locator('.monaco-list-row.request').evaluateAll((all: readonly PageElement[]) =>
      all.map((each) => ({
        index: Number(each.getAttribute('data-index')),
        text: each.querySelector('.interactive-request .value')?.innerText ?? '',
      })),
    );
    const byIndex = new Map(found.map((each) => [each.index, each]));
    return [...byIndex.values()].sort((a, b) => a.index - b.index);
  }

  const lastRequest = async (): Promise<number> => (await requests()).at(-1)?.index ?? -2;

  /** The list renders what is in view only; the newest message has to be, to tell the next one from it. */
  async function scrollToEnd(): Promise<void> {
    const rows = panel.locator('.interactive-list .monaco-list-row');
    if ((await rows.count()) === 0) return;
    const last = panel.locator('.interactive-list .monaco-list-row[data-last-element="true"]');
    await until('the end of the chat', async () => {
      if ((await last.count()) > 0) return true;
      await panel.locator('.interactive-list').hover();
      await page.mouse.wheel(0, 5_000);
      return false;
    });
  }

  /** Toasts and the list of notifications show over the input and the end of the answer. */
  async function uncover(): Promise<void> {
    const hide = page.locator('.notifications-center').getByRole('button', { name: /^Hide/u });
    if (await hide.isVisible()) await isInTime(() => hide.click({ timeout: 1_000 }));
    // They go to the list behind the bell.
    if ((await page.locator('.notification-toast').count()) > 0) await page.keyboard.press('Escape');
  }

  /** A toast may come up in the moment of the click, and cover the input. */
  async function focusInput(): Promise<void> {
    await until('the input of the chat to take the focus', async () => {
      await uncover();
      // Where the mouse rests on what was clicked last, its hover may cover the input.
      await page.mouse.move(0, 0);
      // The corner, because a toast may cover the rest of the input.
      return await isInTime(() => input.click({ position: { x: 8, y: 8 }, timeout: 3_000 }));
    });
  }

  function answer(): Locator {
    const responses = panel.locator('.interactive-item-container.interactive-response');
    if (current === undefined) return responses.last();
    return panel.locator(`.monaco-list-row[data-index="${current + 1}"] .interactive-response`);
  }

  async function unfoldSteps(step: string): Promise<string> {
    // The panel folds steps in a row once more, until a reload.
    const folds = answer().getByText('Finished with');
    const wanted = answer().getByText(step);
    const unfolded = folds.or(wanted).filter({ visible: true }).first();
    await until('the steps to unfold', async () => {
      if (await unfolded.isVisible()) return true;
      // An answer that is just done is drawn anew, folded.
      await isInTime(() => answer().getByText('Completed').click({ timeout: 1_000 }));
      return await isInTime(() => unfolded.waitFor({ timeout: 3_000 }));
    });
    for (const fold of await folds.all()) await fold.click();
    await wanted.first().waitFor();
    return await answer().innerText();
  }

  const value = (): Locator => answer().locator('> .value');

  async function answerText(): Promise<string> {
    return (await value().count()) === 0 ? '' : await value().innerText();
  }

  const seen = async (): Promise<string> => `the answer ${JSON.stringify(await answerText())}`;

  async function answerWith(match: string | RegExp, timeout: number): Promise<string> {
    const probe = async (): Promise<string | false> => {
      const text = await answerText();
      return matches(text, match) && text;
    };
    return await until(`an answer with ${String(match)}`, probe, { timeout, seen });
  }

  async function finished(): Promise<boolean> {
    const shown = (await answer().count()) > 0;
    return shown && (await running.count()) === 0;
  }

  async function click(label: string, timeout = patience): Promise<void> {
    await uncover();
    const target = answer().locator('.chat-command-button a, .rendered-markdown a');
    // `Deny` is not `Deny and say why…`.
    const exact = target.filter({ hasText: new RegExp(`^\\s*${escaped(label)}\\s*$`, 'u') });
    const begun = target.filter({ hasText: label });
    // The same link may stand in steps that are folded away, too.
    await begun.filter({ visible: true }).first().waitFor({ timeout });
    await ((await exact.count()) > 0 ? exact : begun).last().click({ timeout });
  }

  const decisions = async (): Promise<number> =>
    (await answerText()).match(/^(?:Allowed|Denied).*: /gmu)?.length ?? 0;

  return {
    async send(text) {
      await uncover();
      // A new window shows the parts that the one before it showed.
      if (!(await input.isVisible())) await page.keyboard.press('ControlOrMeta+Alt+I');
      await scrollToEnd();
      const before = await lastRequest();
      await focusInput();
      await page.keyboard.press('ControlOrMeta+A');
      // Inserted at once, so that the suggestion list does not open and swallow the Enter.
      await page.keyboard.insertText(text.startsWith('@') ? text : `@pincer ${text}`);
      await page.keyboard.press('Enter');
      current = await until(`the panel to show the message ${JSON.stringify(text)}`, async () => {
        const last = await lastRequest();
        // Messages and answers take turns. A row that is being reused can show its new index with its old kind.
        return last > before && (last - before) % 2 === 0 && last;
      });
    },
    answerText,
    unfoldSteps,
    answer,
    waitForText: async (match) => await answerWith(match, patience),
    async waitForAnswer(match = /./u) {
      await until('the answer to be done', finished, { timeout: 2 * patience, seen });
      return await answerWith(match, renderingMs);
    },
    isRunning: async () => (await running.count()) > 0,
    async isNew() {
      const focused = panel.locator('.chat-input-container .monaco-editor.focused').getByText('@pincer');
      return (await requests()).length === 0 && (await focused.count()) > 0;
    },
    async clearInput() {
      if (!(await input.isVisible())) return;
      await focusInput();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('Backspace');
    },
    click,
    async decide(label) {
      const before = await decisions();
      let clicked = -1_000;
      await until(`the answer ${label} to count`, async () => {
        if ((await decisions()) > before) return true;
        // An answer that is done folds away what was decided on the way.
        if (clicked > 0 && (await running.count()) === 0) return true;
        if (performance.now() < clicked + 1_000) return false;
        await click(label);
        clicked = performance.now();
        return false;
      });
    },
    async cancel() {
      await panel.getByRole('button', { name: /^Cancel/u }).click();
      await running.waitFor({ state: 'detached' });
    },
    messages: async () => (await requests()).map(({ text }) => text),
  };
}

/** For a pattern that means this text. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}

/** What is used of an element of the page; the project has no browser types. */
interface PageElement {
  readonly innerText: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
}
