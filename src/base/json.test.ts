import { describe, expect, test } from 'vitest';
import { withManyKeys } from '../../test/builders/withManyKeys.ts';
import { jsonSize } from './json.ts';

describe('the size of JSON', () => {
  test.each([
    'text',
    700,
    [],
    {},
    [1, 2, 3],
    [[1], [[2]], [{}]],
    { a: 1, b: [true, null, 'x'], c: { d: { e: 'a "quoted" text' } } },
    Array.from({ length: 500 }, (_, at) => ({ [`key ${String(at)}`]: [at, String(at)] })),
  ])('of %j is close to the length of its text, and more by a character at most', (value) => {
    const { length } = JSON.stringify(value);
    const size = jsonSize(value, Infinity);
    expect(size).toBeLessThanOrEqual(length + 1);
    expect(size).toBeGreaterThan(length / 2);
  });

  test('is counted no further than the limit', () => {
    const { value, looks } = withManyKeys();
    expect(jsonSize(value, 1_000)).toBeGreaterThan(1_000);
    expect(looks()).toBeLessThan(500);
    expect(
      jsonSize(
        Array.from({ length: 100 }, () => 'x'.repeat(100)),
        1_000,
      ),
    ).toBeLessThan(1_500);
  });
});
