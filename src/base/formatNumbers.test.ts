import { expect, it } from 'vitest';
import { formatBytes, formatCount, formatPriority } from './formatNumbers.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1 kB'],
  [1_234, '1.2 kB'],
  [9_960, '10 kB'],
  [999_499, '999 kB'],
  [999_600, '1 MB'],
  [3_100_000, '3.1 MB'],
  [42_000_000, '42 MB'],
  [2.5e9, '2.5 GB'],
])('writes %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes, 'en')).toBe(text);
});

it('groups digits as the language does', () => {
  expect(formatCount(12_040, 'en')).toBe('12,040');
});

it.each([
  [50, 'priority 50'],
  [1_000_000_000, 'priority 1000000000'],
  [Number.MAX_VALUE, 'first'],
  [-Number.MAX_VALUE / 2, 'last'],
])('says %d as %s', (priority, text) => {
  expect(formatPriority(priority)).toBe(text);
});
