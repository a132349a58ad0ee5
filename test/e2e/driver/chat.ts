import type { Locator, Page } from 'playwright-core';

import { patience } from '../../../scripts/editorHost/launchBrowser.ts';
import {
  clickOnce,
  clickUntil,
  escaped,
  growing,
  isHeardBy,
  isInTime,
  matches,
  tryMs,
  until,
  whole,
} from './until.ts';

/** The chat panel. "The answer" is always the one to the last message sent by this driver, or the newest one before that. */
export interface Chat {
  /** Types a message to @pincer (unless it begins with another `@name`) and sends it; resolves when the panel shows it. */
  send(text: string): Promise<void>;
  /** Types it and sends it while an answer runs: the panel may show it a good deal later. */
  say(text: string): Promise<void>;
  /** The answer's text so far. */
  answerText(): Promise<string>;
  /** The answer as a locator, for what has no method here. */
  answer(): Locator;
  /** Unfolds the steps of an answer that is done, until this one shows; gives the whole text. */
  unfoldSteps(step: string): Promise<string>;
  /** Waits until the answer, running or done, contains this. */
  waitForText(match: string | RegExp): Promise<string>;
  /** Waits until the answer is done and contains all of this; gives its whole text. */
  waitForAnswer(...wanted: readonly (string | RegExp)[]): Promise<string>;
  isRunning(): Promise<boolean>;
  /** Whether it is as `Pincer: New Session` leaves it: no message, and an input that names @pincer and has the focus. */
  isNew(): Promise<boolean>;
  /** Empties the input, where the chat shows. */
  clearInput(): Promise<void>;
  /** Clicks a button, a command link or a file link of the answer by its text. */
  click(label: string): Promise<void>;
  /** Clicks it again and again until that has come of it: a yes in the first half second does not count. */
  clickUntil(label: string, come: () => boolean): Promise<void>;
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

/** How long the text of an answer may stand still after its end until it counts as a wrong one, which fails soon. Milliseconds. */
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
      return await isInTime(async () => {
        await input.click({ position: { x: 8, y: 8 }, timeout: tryMs });
        await input.and(page.locator('.focused')).waitFor({ timeout: tryMs });
      });
    });
  }

  /** Puts a text into the input. An editor that opens at that moment takes the keyboard: then it went elsewhere, and is put in again. */
  async function type(text: string): Promise<boolean> {
    await focusInput();
    await page.keyboard.press('ControlOrMeta+A');
    // Inserted at once, so that the suggestion list does not open and swallow the Enter.
    await page.keyboard.insertText(text);
    // The end is in sight, wherever the lines wrap.
    const end = (text.match(/\S/gu) ?? []).slice(-24).map(escaped).join('\\s*');
    const lines = input.locator('.view-lines').filter({ hasText: new RegExp(end, 'u') });
    return await isInTime(() => lines.waitFor({ timeout: tryMs }));
  }

  async function say(text: string): Promise<void> {
    await until(`the message ${JSON.stringify(text)} to be sent`, async () => {
      if (!(await type(text.startsWith('@') ? text : `@pincer ${text}`))) return false;
      return await isHeardBy(input, () => page.keyboard.press('Enter'));
    });
  }

  function answer(): Locator {
    const responses = panel.locator('.interactive-item-container.interactive-response');
    if (current === undefined) return responses.last();
    return panel.locator(`.monaco-list-row[data-index="${current + 1}"] .interactive-response`);
  }

  async function unfoldSteps(step: string): Promise<string> {
    const folds = answer().locator('summary[aria-expanded="false"]');
    // The panel folds steps in a row once more, until a reload.
    const folded = answer().getByRole('button', { name: /^Finished with/u, expanded: false });
    const fold = folds.or(folded).filter({ visible: true }).first();
    const shown = answer().getByText(step).filter({ visible: true }).first();
    // An answer that is just done is drawn anew, folded.
    await until(`the steps with ${step} to unfold`, async () => {
      if (!(await fold.isVisible())) return await shown.isVisible();
      await isInTime(() => fold.click({ timeout: tryMs }));
      return false;
    });
    return await answer().innerText();
  }

  const value = (): Locator => answer().locator('> .value');

  async function answerText(): Promise<string> {
    return (await value().allInnerTexts())[0] ?? '';
  }

  const seen = async (): Promise<string> => `the answer ${JSON.stringify(await answerText())}`;

  async function waitForText(match: string | RegExp): Promise<string> {
    const probe = async (): Promise<string | false> => {
      const text = await answerText();
      return matches(text, match) && text;
    };
    return await until(`an answer with ${String(match)}`, probe, { seen });
  }

  const isRunning = async (): Promise<boolean> => (await running.count()) > 0;

  async function isDone(): Promise<boolean> {
    return (await answer().count()) > 0 && !(await isRunning());
  }

  async function waitForAnswer(...wanted: readonly (string | RegExp)[]): Promise<string> {
    const what = `an answer that is done${wanted.map((each) => ` and says ${String(each)}`).join('')}`;
    let last = '';
    let stillSince = performance.now();
    const probe = async (): Promise<string | false> => {
      const wasDone = await isDone();
      const text = await answerText();
      if (wasDone && text !== '' && wanted.every((each) => matches(text, each)) && (await isDone()))
        return text;
      if (!wasDone || text !== last) stillSince = performance.now();
      last = text;
      if (performance.now() > stillSince + renderingMs)
        throw new Error(`Waited ${renderingMs / 1000} s for ${what}.\nInstead: ${await seen()}`);
      return false;
    };
    return await until(what, probe, { timeout: 2 * patience, seen });
  }

  /** The buttons and links of the answer with this label: `Deny` is not `Deny and say why…`. */
  async function links(label: string): Promise<Locator> {
    const target = answer().locator('.chat-command-button a, .rendered-markdown a');
    const exact = target.filter({ hasText: whole(label) });
    return (await exact.count()) > 0 ? exact : target.filter({ hasText: label });
  }

  async function click(label: string): Promise<void> {
    // The same link may stand in steps that are folded away, too.
    const begun = answer().locator('.chat-command-button a, .rendered-markdown a').filter({ hasText: label });
    await begun.filter({ visible: true }).first().waitFor();
    await clickOnce((await links(label)).last(), uncover);
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
      await say(text);
      const words = wordsOf(text.replace(/^@\w+\s/u, '')).slice(0, 40);
      current = await until(`the panel to show the message ${JSON.stringify(text)}`, async () => {
        const last = (await requests()).at(-1);
        if (last === undefined || !wordsOf(last.text).includes(words)) return false;
        // Messages and answers take turns. A row that is being reused can show its new index with its old kind.
        return last.index > before && (last.index - before) % 2 === 0 && last.index;
      });
    },
    say,
    answerText,
    unfoldSteps,
    answer,
    waitForText,
    waitForAnswer,
    isRunning,
    async isNew() {
      const focused = panel.locator('.chat-input-container .monaco-editor.focused').getByText('@pincer');
      return (await requests()).length === 0 && (await focused.count()) > 0;
    },
    async clearInput() {
      if (!(await input.isVisible())) return;
      const isEmpty = async (): Promise<boolean> =>
        wordsOf(await input.locator('.view-lines').innerText()) === '';
      await until('the input of the chat to be empty', async () => {
        if (await isEmpty()) return true;
        await focusInput();
        await page.keyboard.press('ControlOrMeta+A');
        await page.keyboard.press('Backspace');
        return false;
      });
    },
    click,
    async clickUntil(label, come) {
      const nextTry = growing();
      await until(`what a click on ${label} brings`, async () => {
        if (come()) return true;
        await uncover();
        await isInTime(async () => await (await links(label)).last().click({ timeout: nextTry() }));
        return come();
      });
    },
    async decide(label) {
      const before = await decisions();
      const nextTry = growing();
      let mine: number | undefined;
      let clicked = -1_000;
      await until(`the answer ${label} to count`, async () => {
        if ((await decisions()) > before) return true;
        // An answer that is done folds away what was decided on the way.
        if (clicked > 0 && !(await isRunning())) return true;
        if (performance.now() < clicked + 1_000) return false;
        await uncover();
        const all = await links(label);
        const count = await all.filter({ visible: true }).count();
        if (count === 0) return false;
        // The question before has a button of the same name, and so has the next one; neither is meant.
        mine ??= await all.evaluateAll(openOne);
        if (mine === undefined) return false;
        const button = all.nth(mine);
        if (await isInTime(() => button.click({ timeout: nextTry() }))) clicked = performance.now();
        return false;
      });
    },
    async cancel() {
      await clickUntil(panel.getByRole('button', { name: /^Cancel/u }), async () => !(await isRunning()));
    },
    messages: async () => (await requests()).map(({ text }) => text),
  };
}

/** Letters and digits: the panel draws the rest of a message in its own way. */
function wordsOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

/** Runs in the page: the button of a question that nobody has answered stands below what was answered. */
function openOne(buttons: readonly PageElement[]): number | undefined {
  const following = 4;
  const last = buttons.at(-1);
  const said = [...(last?.closest('.interactive-response')?.querySelectorAll('em') ?? [])];
  const decided = said.filter(({ innerText }) => /^(?:Allowed|Denied).*: /u.test(innerText)).at(-1);
  if (last === undefined) return undefined;
  const isOpen = decided === undefined || (decided.compareDocumentPosition(last) & following) !== 0;
  return isOpen ? buttons.length - 1 : undefined;
}

/** What is used of an element of the page; the project has no browser types. */
interface PageElement {
  closest(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  compareDocumentPosition(other: PageElement): number;
  readonly innerText: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
}
