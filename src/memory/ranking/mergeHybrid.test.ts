import { describe, expect, it } from 'vitest';
import { cosineToScore, legWeights, mergeHybrid } from './mergeHybrid.ts';

describe('legWeights', () => {
  it.each([
    [0.7, 0.3, true, { vector: 0.7, text: 0.3 }],
    [1, 0.25, true, { vector: 0.8, text: 0.2 }], // 1 / 1.25 and 0.25 / 1.25
    [0, 0, true, { vector: 0.5, text: 0.5 }],
    [0.7, 0.3, false, { vector: 0, text: 1 }],
    [1, 0, false, { vector: 0, text: 1 }],
  ])('vector %d and text %d, vectors %s', (vectorWeight, textWeight, hasVectors, weights) => {
    expect(legWeights({ vectorWeight, textWeight }, hasVectors)).toEqual(weights);
  });
});

describe('cosineToScore', () => {
  it.each([
    [0.4, 0.4],
    [-0.3, 0],
    [1.0000001, 1],
    [Number.NaN, 0],
  ])('%d is %d', (cosine, score) => {
    expect(cosineToScore(cosine)).toBe(score);
  });
});

describe('mergeHybrid', () => {
  const weights = { vector: 0.7, text: 0.3 };

  it('adds up the weighted legs', () => {
    // 0.7 × 0.8 + 0.3 × 4/5 = 0.56 + 0.24
    expect(mergeHybrid({ cosine: 0.8, bm25: 4 }, weights)).toBeCloseTo(0.8);
    expect(mergeHybrid({ bm25: 4 }, weights)).toBeCloseTo(0.24);
    expect(mergeHybrid({ cosine: 0.8 }, weights)).toBeCloseTo(0.56);
    expect(mergeHybrid({}, weights)).toBe(0);
  });

  it('without vectors it is the text score alone', () => {
    expect(
      mergeHybrid({ bm25: 4, cosine: 0.9 }, legWeights({ vectorWeight: 0.7, textWeight: 0.3 }, false)),
    ).toBe(0.8);
  });

  it('halves what each leg measured for a note of one half-life', () => {
    // Vector 0.7 × 0.8 / 2 = 0.28; BM25 4 / 2 = 2, so 0.3 × 2/3 = 0.2
    expect(mergeHybrid({ cosine: 0.8, bm25: 4 }, weights, 0.5)).toBeCloseTo(0.48);
  });

  it('does not set a weak hit above a strong one that is a half-life older', () => {
    const text = { vector: 0, text: 1 };
    // 20 / 2 = 10, so 10/11 = 0.909 beside 3/4; a product with 20/21 would be 0.476.
    expect(mergeHybrid({ bm25: 20 }, text, 0.5)).toBeGreaterThan(mergeHybrid({ bm25: 3 }, text));
  });
});
