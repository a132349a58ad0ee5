import { expect, test } from 'vitest';
import { callHash } from './callHash.ts';

test('the order of keys makes no difference, names and values do', () => {
  const hash = callHash('write', { a: 1, b: { c: 2, d: 3 } });
  expect(callHash('write', { b: { d: 3, c: 2 }, a: 1 })).toBe(hash);
  expect(callHash('edit', { a: 1, b: { c: 2, d: 3 } })).not.toBe(hash);
  expect(callHash('write', { a: 1, b: { c: 2, d: 4 } })).not.toBe(hash);
  expect(hash).toMatch(/^[0-9a-f]{64}$/u);
});
