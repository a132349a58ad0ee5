import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bm25ToScore } from './bm25ToScore.ts';

describe('bm25ToScore', () => {
  it.each([
    [0, 0],
    [1, 0.5], // 1 / 2
    [3, 0.75], // 3 / 4
    [9, 0.9], // 9 / 10
  ])('maps %d to %d', (bm25, score) => {
    expect(bm25ToScore(bm25)).toBe(score);
  });

  it.each([
    [Number.NaN, 0],
    [-2, 0],
    [-Infinity, 0],
    [Infinity, 1],
  ])('%d is harmless', (bm25, score) => {
    expect(bm25ToScore(bm25)).toBe(score);
  });

  it('keeps the order', () => {
    const scores = fc.double({ min: 0, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(scores, scores, (a, b) => a < b === bm25ToScore(a) < bm25ToScore(b) || b - a < 1e-3),
    );
  });
});
