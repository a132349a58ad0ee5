import { describe, expect, it } from 'vitest';
import { normalizeEmbedding } from './normalizeEmbedding.ts';

const single = (...values: number[]): Float32Array => Float32Array.from(values);

describe('normalizeEmbedding', () => {
  it('gives a vector the length 1: (3, 4) has length 5', () => {
    expect(normalizeEmbedding([3, 4])).toEqual(single(3 / 5, 4 / 5));
  });

  it('keeps the signs: (−2, 1, 2) has length 3', () => {
    expect(normalizeEmbedding([-2, 1, 2])).toEqual(single(-2 / 3, 1 / 3, 2 / 3));
  });

  it('counts what is not finite as 0 before it measures the length', () => {
    expect(
      normalizeEmbedding([Number.NaN, 3, Number.POSITIVE_INFINITY, 4, Number.NEGATIVE_INFINITY]),
    ).toEqual(single(0, 0.6, 0, 0.8, 0));
  });

  it('leaves a vector of zeros, and one without a finite number, as zeros', () => {
    expect(normalizeEmbedding([0, 0])).toEqual(single(0, 0));
    expect(normalizeEmbedding([Number.NaN, Number.NaN])).toEqual(single(0, 0));
  });

  it('leaves a vector shorter than 1e-10 as it is, and stretches one that is just that long', () => {
    expect(normalizeEmbedding([9e-11, 0])).toEqual(single(9e-11, 0));
    expect(normalizeEmbedding([1e-10, 0])).toEqual(single(1, 0));
  });

  it('does not change what it was given', () => {
    const given = [3, 4, Number.NaN];
    normalizeEmbedding(given);
    expect(given).toEqual([3, 4, Number.NaN]);
  });
});
