import { describe, expect, test } from 'vitest';
import { readTools } from '../mcp/definitions.ts';
import { jsonSize } from './json.ts';

/** An object of 400,000 keys that counts how many of its values were looked at. */
function manyKeys(): { readonly value: object; readonly looks: () => number } {
  let looks = 0;
  const value = {};
  for (let key = 0; key < 400_000; key += 1)
    Object.defineProperty(value, `k${String(key)}`, {
      enumerable: true,
      get: () => {
        looks += 1;
        return 1;
      },
    });
  return { value, looks: () => looks };
}

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
    const { value, looks } = manyKeys();
    expect(jsonSize(value, 1_000)).toBeGreaterThan(1_000);
    expect(looks()).toBeLessThan(500);
    expect(
      jsonSize(
        Array.from({ length: 100 }, () => 'x'.repeat(100)),
        1_000,
      ),
    ).toBeLessThan(1_500);
  });

  test('is what refuses the definition of a tool before all of it is read', () => {
    const { value, looks } = manyKeys();
    const tool = { name: 'huge', inputSchema: { type: 'object', properties: value } };
    expect(readTools([tool])).toEqual({
      tools: [],
      problems: ['The definition of huge is longer than 64000 characters.'],
    });
    expect(looks()).toBeLessThan(64_000);
  });
});
