import { describe, expect, it } from 'vitest';
import { meanOf, ndcgAt, percentile, recallAt } from './scoreRanking.ts';

describe('ndcgAt', () => {
  it('divides the discounted gains by those of the best order, as worked by hand', () => {
    // Gains 3 at rank 1, 0 at 2, 1 at 3: 3/1 + 1/2 = 3.5. At best 3/1 + 1/log2(3) = 3.63093.
    expect(ndcgAt(10, ['a', 'x', 'b'], { a: 2, b: 1 })).toBeCloseTo(3.5 / 3.630_93, 5);
    // The other way round: 1/1 + 3/log2(3) = 2.89279.
    expect(ndcgAt(10, ['b', 'a'], { a: 2, b: 1 })).toBeCloseTo(2.892_79 / 3.630_93, 5);
  });

  it('is 1 for the best order, and 0 where nothing relevant was found or is there', () => {
    expect(ndcgAt(10, ['a', 'b', 'x'], { a: 2, b: 1, x: 0 })).toBe(1);
    expect(ndcgAt(10, ['x'], { a: 1 })).toBe(0);
    expect(ndcgAt(10, ['x'], {})).toBe(0);
  });

  it('looks no deeper than it is asked to, on both sides', () => {
    expect(ndcgAt(1, ['x', 'a'], { a: 1 })).toBe(0);
    expect(ndcgAt(1, ['a'], { a: 1, b: 1 })).toBe(1);
  });
});

describe('recallAt', () => {
  it('gives the share of the relevant ones that were found', () => {
    expect(recallAt(2, ['a', 'x', 'b'], { a: 1, b: 2, c: 1, x: 0 })).toBeCloseTo(1 / 3);
    expect(recallAt(3, ['a', 'x', 'b'], { a: 1, b: 2, c: 1, x: 0 })).toBeCloseTo(2 / 3);
    expect(recallAt(3, ['a'], {})).toBe(0);
  });
});

describe('percentile and mean', () => {
  it('gives the value at the share', () => {
    const values = [5, 1, 4, 2, 3, 6, 7, 8, 10, 9];
    expect(percentile(values, 0.5)).toBe(5);
    expect(percentile(values, 0.95)).toBe(10);
    expect(percentile([], 0.5)).toBe(0);
  });

  it('gives the mean', () => {
    expect(meanOf([1, 2, 6])).toBe(3);
    expect(meanOf([])).toBe(0);
  });
});
