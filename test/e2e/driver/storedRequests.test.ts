import { expect, it } from 'vitest';

import { storedRequests } from './storedRequests.ts';

const lines = (...entries: readonly object[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
const empty = { kind: 0, v: { version: 3, requests: [] } };
const running = { message: { text: '@pincer Hello' }, modelState: { value: 0 } };

it('tells an answer that was stored half done from one that is whole', () => {
  const half = lines(empty, { kind: 2, k: ['requests'], v: [running] });
  expect(storedRequests(half)).toEqual([running]);
  const completed = { value: 1, completedAt: 7 };
  const whole = half + lines({ kind: 1, k: ['requests', 0, 'modelState'], v: completed });
  expect(storedRequests(whole)?.[0]?.modelState).toEqual(completed);
});

it('reads what was replaced from an index on, and what was deleted', () => {
  const other = { message: { text: 'Other' } };
  const text = lines(
    { kind: 0, v: { requests: [running, other] } },
    { kind: 2, k: ['requests'], i: 1, v: [other, other] },
    { kind: 2, k: ['requests'], i: 2 },
    { kind: 3, k: ['requests', 0, 'modelState'] },
  );
  expect(storedRequests(text)).toEqual([{ message: running.message }, other]);
});

it('waits for the rest of a line', () => {
  expect(storedRequests(lines(empty).slice(0, -1))).toBeUndefined();
});
