import { setTimeout as delay } from 'node:timers/promises';

import { errors, type Locator } from 'playwright-core';

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

/**
 * Clicks until that has come of it: VS Code draws some buttons anew, or does not listen yet, and a click of that moment is lost. For
 * buttons that go with the click that counts.
 */
export async function clickUntil(button: Locator, come: () => Promise<boolean>): Promise<void> {
  await until('the click to count', async () => {
    if (await come()) return true;
    if (await button.isVisible()) await isInTime(() => button.click({ timeout: 1_000 }));
    return false;
  });
}

/** Whether a text contains a string or matches an expression. */
export function matches(text: string, match: string | RegExp): boolean {
  return typeof match === 'string' ? text.includes(match) : match.test(text);
}
