import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PageElement } from './browser.ts';
import { createCountdowns } from './createCountdowns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page that shows two questions. */
function openPage() {
  const [first, second] = [{ textContent: '' }, { textContent: '' }];
  const elements = new Map([
    ['first', first as PageElement],
    ['second', second as PageElement],
  ]);
  const texts = { left: '{0} left', paused: 'paused at {0}' };
  const { show } = createCountdowns({ elementOf: (id) => elements.get(id), texts });
  return { show, read: () => [first.textContent, second.textContent] };
}

it('counts down what runs, and lets the rest stand', () => {
  const { show, read } = openPage();
  show([
    { id: 'first', ms: 62_000, isRunning: true },
    { id: 'second', ms: 90_000, isRunning: false },
  ]);
  expect(read()).toEqual(['1:02 left', 'paused at 1:30']);
  vi.advanceTimersByTime(3_000);
  expect(read()).toEqual(['0:59 left', 'paused at 1:30']);
  // The window has lost the focus.
  show([
    { id: 'first', ms: 59_000, isRunning: false },
    { id: 'second', ms: 90_000, isRunning: false },
  ]);
  vi.advanceTimersByTime(60_000);
  expect(read()).toEqual(['paused at 0:59', 'paused at 1:30']);
});

it('runs a timer only while the time of a question runs', () => {
  const { show } = openPage();
  const timers = (): number => vi.getTimerCount();
  show([]);
  expect(timers()).toBe(0);
  show([{ id: 'first', ms: 90_000, isRunning: false }]);
  expect(timers()).toBe(0);
  show([{ id: 'first', ms: 90_000, isRunning: true }]);
  vi.advanceTimersByTime(5_000);
  expect(timers()).toBe(1);
  show([]);
  expect(timers()).toBe(0);
  show([{ id: 'first', ms: 2_000, isRunning: true }]);
  vi.advanceTimersByTime(5_000);
  expect(timers()).toBe(0);
});
