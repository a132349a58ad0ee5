import { expect, it } from 'vitest';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import { nextTimeLeft, timeBadge, timeLeft } from './timeLeft.ts';

it('says minutes and seconds, begun seconds as whole ones, and nothing below zero', () => {
  expect(timeLeft(114_000)).toBe('1:54');
  expect(timeLeft(113_001)).toBe('1:54');
  expect(timeLeft(9_000)).toBe('0:09');
  expect(timeLeft(-5)).toBe('0:00');
});

it('says days and hours of a review, which waits for a week', () => {
  expect(timeLeft(7 * 86_400_000 - 5_000)).toBe('6 d 23 h');
  expect(timeLeft(3 * 3_600_000)).toBe('3 h');
  expect(timeLeft(119 * 60_000)).toBe('119:00');
});

it('has two characters for a badge at most, whatever is left', () => {
  const lefts = [
    -5,
    8_200,
    59_000,
    60_000,
    119_000,
    40 * 60_000,
    3 * 3_600_000,
    23 * 3_600_000,
    7 * 86_400_000,
  ];
  expect(lefts.map(timeBadge)).toEqual(['0', '9', '59', '1m', '1m', '9m', '3h', '9h', '7d']);
});

it('goes by the question whose time ends first', () => {
  const lefts = new Map([
    ['a', { ms: 90_000, isRunning: true }],
    ['b', { ms: 5_000, isRunning: false }],
  ]);
  const waiting = (...ids: readonly string[]) => ({
    pending: () => ids.map((id) => ({ id }) as ApprovalRequest),
    timeLeft: (id: string) => lefts.get(id),
  });
  expect(nextTimeLeft(waiting('a', 'b'))).toEqual({ ms: 5_000, isRunning: false });
  expect(nextTimeLeft(waiting('gone', 'a'))).toEqual({ ms: 90_000, isRunning: true });
  expect(nextTimeLeft(waiting())).toBeUndefined();
});
