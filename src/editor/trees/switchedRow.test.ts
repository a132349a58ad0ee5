import { expect, it } from 'vitest';
import { switchedRow } from './switchedRow.ts';

const row = (id: string) => ({ id });
const switched = (before: readonly string[], after: readonly string[]) =>
  switchedRow(before.map(row), after.map(row), ({ id }) => id)?.id;

it('finds the row that was selected, and the one that was selected no more', () => {
  expect(switched([], ['b'])).toBe('b');
  expect(switched(['a'], ['a', 'b'])).toBe('b');
  expect(switched(['a'], [])).toBe('a');
});

it('takes no other row for the focused one where a redraw replaced the rows', () => {
  expect(switched(['a'], ['a', 'b'])).not.toBe('a');
  expect(switched(['a', 'b'], ['a'])).toBe('b');
});

it('names none where it can not tell which one', () => {
  expect(switched(['a'], ['a'])).toBeUndefined();
  expect(switched([], ['a', 'b'])).toBeUndefined();
  expect(switched(['a'], ['b'])).toBeUndefined();
});
