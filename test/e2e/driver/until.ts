import { setTimeout as delay } from 'node:timers/promises';

import { errors, type JSHandle, type Locator } from 'playwright-core';

import { patience } from '../../../scripts/editorHost/launchBrowser.ts';

/** Each look is work of the browser and of this process. Milliseconds. */
const pollMs = 100;

/**
 * Asks `probe` until it gives something else than undefined or false.
 * @throws Error that names what was waited for and, where `seen` is given, what was there instead.
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false>,
  options: { readonly timeout?: number; readonly seen?: () => Promise<string> } = {},
): Promise<T> {
  const { timeout = patience, seen } = options;
  const end = performance.now() + timeout;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) {
      const instead = seen === undefined ? '' : `\nInstead: ${await seen()}`;
      throw new Error(`Waited ${timeout / 1000} s for ${what}.${instead}`);
    }
    await delay(pollMs);
  }
}

/** One try of work that `until` repeats: false where it ran out of time. Any other error is thrown. */
export async function isInTime(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}

/** How long one try may take before what it is about is looked for again; on a slow machine each step of it takes its time. Milliseconds. */
export const tryMs = 8_000;

/** How long a click that has begun is waited for: given up, it may still arrive, and the next try is a second click. Milliseconds. */
const begunMs = 15_000;

/** Times of tries at what goes with the one that counts: short ones at first, and as long as a slow machine needs. Milliseconds. */
export function growing(): () => number {
  let next = 500;
  return () => (next = Math.min(2 * next, tryMs));
}

/**
 * Clicks until that has come of it: what has just come does not listen yet, or does not take a click as an answer. For buttons that go
 * with the click that counts, or that may be clicked again.
 */
export async function clickUntil(button: Locator, come: () => Promise<boolean>): Promise<void> {
  const nextTry = growing();
  await until(`what a click on ${String(button)} brings`, async () => {
    if (await come()) return true;
    if (await button.isVisible()) await isInTime(() => button.click({ timeout: nextTry() }));
    return false;
  });
}

/**
 * Clicks once, so that it is heard: VS Code draws buttons and rows anew, and one that goes between press and release hears nothing.
 * `before` brings the mouse to where the button shows; nothing is pressed as long as something covers it. Not for one that leads the page away.
 * `by` is what the button acts on: a code lens takes the release alone, also where it was drawn anew since the press.
 */
export async function clickOnce(
  button: Locator,
  before?: () => Promise<unknown>,
  by: 'click' | 'mouseup' = 'click',
): Promise<void> {
  await until(`a click on ${String(button)}`, async () => {
    const canBegin = await isInTime(async () => {
      await before?.();
      await button.click({ trial: true, timeout: tryMs });
    });
    if (!canBegin) return false;
    let heard: JSHandle<Heard> | undefined;
    await isInTime(async () => {
      heard = await button.evaluateHandle(hearClick, { selector: clickable, by }, { timeout: tryMs });
      await button.click({ timeout: begunMs });
    });
    return (await heard?.evaluate(({ isHeard }) => isHeard)) === true;
  });
}

/** When a key is let through. */
interface KeyOptions {
  /** Where the list of the palette stands on the entry of this name. */
  readonly entry?: string;
  /** Where the page has nothing of this selector. */
  readonly unless?: string;
}

/**
 * Presses a key, and tells whether a box heard it. A key that would go elsewhere, or for something else than what was looked at, is not
 * let through: what opens at that moment takes the keyboard, and a list goes on looking while it shows.
 */
export async function isHeardBy(
  box: Locator,
  press: () => Promise<void>,
  options: KeyOptions = {},
): Promise<boolean> {
  let heard: JSHandle<HeardKey> | undefined;
  await isInTime(async () => {
    heard = await box.evaluateHandle(hearKey, options, { timeout: tryMs });
    await press();
  });
  return (await heard?.evaluate((key) => key.stop())) === true;
}

/** Rests the mouse on something until that shows: what is drawn anew under the mouse loses its hover. */
export async function hoverUntil(what: Locator, shown: Locator): Promise<void> {
  await until(`what the mouse on ${String(what)} brings`, async () => {
    await isInTime(() => what.hover({ timeout: tryMs }));
    const hasCome = await isInTime(() => shown.waitFor({ timeout: tryMs }));
    if (!hasCome) await what.page().mouse.move(0, 0);
    return hasCome;
  });
}

/** Does work that brings something for seconds only: the look for it begins first. */
export async function seeing(brief: Locator, work: () => Promise<unknown>): Promise<void> {
  await Promise.all([brief.waitFor(), work()]);
}

/** What takes a click as a whole, whatever of it is under the mouse. */
const clickable = 'a, button, input, [role="button"], [role="tab"], [role="checkbox"], .monaco-list-row';

interface Heard {
  isHeard: boolean;
}

interface ClickOptions {
  /** What takes a click as a whole. */
  readonly selector: string;
  readonly by: 'click' | 'mouseup';
}

/** Runs in the page: whether the next click reaches what was pressed for it, or its release something that takes one. */
function hearClick(button: PageElement, { selector, by }: ClickOptions): Heard {
  const heard = { isHeard: false };
  let pressed: PageElement | undefined;
  const options = { capture: true, once: true };
  const press = (event: PageEvent): void => {
    const path = event.composedPath();
    pressed = path.find((each) => each.matches?.(selector) === true) ?? path[0];
  };
  const click = (event: PageEvent): void => {
    const path = event.composedPath();
    heard.isHeard =
      by === 'click'
        ? pressed !== undefined && path.includes(pressed)
        : path.some((each) => each.matches?.(selector) === true);
  };
  button.ownerDocument.addEventListener('mousedown', press, options);
  button.ownerDocument.addEventListener(by, click, options);
  return heard;
}

interface HeardKey {
  /** Ends the watch; gives whether the key went where it belongs. */
  stop(): boolean;
}

/** Runs in the page: lets the next key through to this element only. */
function hearKey(box: PageElement, { entry, unless }: KeyOptions): HeardKey {
  let isHeard = false;
  const { ownerDocument: page } = box;
  const listen = (event: PageEvent): void => {
    const row = page.querySelector('.quick-input-widget .monaco-list-row.focused .label-name');
    const isOnEntry = entry === undefined || row?.textContent?.replace(/\s+/gu, ' ').trim() === entry;
    const isAnother = unless !== undefined && page.querySelector(unless) !== null;
    isHeard = isOnEntry && !isAnother && event.composedPath().includes(box);
    if (isHeard) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  page.addEventListener('keydown', listen, { capture: true, once: true });
  return {
    stop() {
      page.removeEventListener('keydown', listen, { capture: true });
      return isHeard;
    },
  };
}

/** What is used of an element and an event of the page; the project has no browser types. */
interface PageElement {
  readonly ownerDocument: {
    addEventListener(type: string, listen: (event: PageEvent) => void, options: object): void;
    removeEventListener(type: string, listen: (event: PageEvent) => void, options: object): void;
    querySelector(selector: string): PageElement | null;
  };
  readonly textContent: string | null;
  /** Not of the document and the window. */
  matches?(selector: string): boolean;
}
interface PageEvent {
  composedPath(): readonly PageElement[];
  preventDefault(): void;
  stopImmediatePropagation(): void;
}

/** For a pattern that means this text. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');

/** A pattern that means this text, and nothing before or after it. */
export const whole = (text: string): RegExp => new RegExp(`^\\s*${escaped(text)}\\s*$`, 'u');

/** Whether a text contains a string or matches an expression. */
export function matches(text: string, match: string | RegExp): boolean {
  return typeof match === 'string' ? text.includes(match) : match.test(text);
}
