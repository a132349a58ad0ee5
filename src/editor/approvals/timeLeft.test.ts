import { expect, it } from 'vitest';
import { timeLeft } from './timeLeft.ts';

it.each([
  [120_000, 0, '2:00'],
  [120_000, 1, '2:00'],
  [120_000, 6_000, '1:54'],
  [120_000, 119_999, '0:01'],
  [120_000, 120_000, '0:00'],
  [120_000, 500_000, '0:00'],
])('of an end at %d, at %d, %s is left', (end, now, left) => {
  expect(timeLeft(end, now)).toBe(left);
});
