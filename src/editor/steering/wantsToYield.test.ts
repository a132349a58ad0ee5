import { expect, it } from 'vitest';
import { wantsToYield } from './wantsToYield.ts';

it('yields only where the panel says so, and not where it knows nothing of it', () => {
  const chat = { history: [], yieldRequested: false };
  expect(wantsToYield(chat)).toBe(false);
  chat.yieldRequested = true;
  expect(wantsToYield(chat)).toBe(true);
  expect(wantsToYield({ history: [] })).toBe(false);
  expect(wantsToYield({ yieldRequested: 'yes' })).toBe(false);
});
