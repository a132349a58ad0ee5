import { expect, it } from 'vitest';
import { relativeTime } from './relativeTime.ts';

const now = new Date(2026, 9, 26, 9, 30).getTime();
const ago = (ms: number): string => relativeTime(now - ms, now, 'en', 'now');

it('tells minutes, hours and a day in words, and what is older by its date', () => {
  const hour = 3_600_000;
  expect([ago(0), ago(59_999), ago(60_000), ago(59 * 60_000)]).toEqual([
    'now',
    'now',
    '1 min. ago',
    '59 min. ago',
  ]);
  expect([ago(hour), ago(23 * hour), ago(25 * hour)]).toEqual(['1 hr. ago', '23 hr. ago', '1 day ago']);
  expect([ago(72 * hour), ago(400 * 24 * hour)]).toEqual(['Oct 23', 'Sep 21, 2025']);
});

it('a time in the future is now: clocks of machines differ', () => {
  expect(ago(-5_000_000)).toBe('now');
});
