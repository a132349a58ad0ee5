import { describe, expect, it } from 'vitest';
import { checkVectors, cutToTokens, normalizeEmbedding, planBatches } from './embedder.ts';
import { readIndexedVectors } from './providers.ts';

const plan = (lengths: readonly number[], maxTexts = 10): readonly (readonly number[])[] => [
  ...planBatches(lengths, (length) => 'x'.repeat(length), { maxTexts, maxTokens: 10 }),
];

describe('planBatches', () => {
  it('fills each batch up to the tokens, in the order of the items: 4 characters are a token', () => {
    expect(plan([20, 20, 4, 36, 40])).toEqual([[20, 20], [4, 36], [40]]);
  });

  it('holds no more texts than a request may', () => {
    expect(plan([4, 4, 4], 2)).toEqual([[4, 4], [4]]);
  });

  it('sends a text that is too long alone', () => {
    expect(plan([4, 400, 4])).toEqual([[4], [400], [4]]);
  });

  it('takes no more from its source than the batch that was asked for, and the item that ends it', () => {
    let taken = 0;
    const source = function* (): Generator<number> {
      for (; ; taken += 1) yield 20;
    };
    const batches = planBatches(source(), (length) => 'x'.repeat(length), { maxTexts: 10, maxTokens: 10 });
    expect(batches.next().value).toEqual([20, 20]);
    expect(taken).toBe(2);
  });

  it('of nothing there is nothing', () => {
    expect(plan([])).toEqual([]);
  });
});

describe('cutToTokens', () => {
  it('leaves a text that fits as it is', () => {
    expect(cutToTokens('x'.repeat(40), 10)).toBe('x'.repeat(40));
  });

  it('cuts at four characters a token, and at one for CJK', () => {
    expect(cutToTokens('x'.repeat(41), 10)).toBe('x'.repeat(40));
    expect(cutToTokens('記'.repeat(11), 10)).toBe('記'.repeat(10));
  });

  it('leaves no half of a character behind', () => {
    expect(cutToTokens('😀😀', 3)).toBe('😀');
    expect(cutToTokens('a\uDE00b', 10)).toBe('a\uFFFDb');
  });
});

describe('checkVectors', () => {
  it('gives vectors of length 1', () => {
    expect(checkVectors([[3, 4]], 1, 2)).toEqual({ vectors: [Float32Array.of(0.6, 0.8)] });
  });

  it.each([
    ['no answer', undefined, undefined, 'holds no embeddings'],
    ['too few', [[1]], undefined, 'sent 1 embeddings for 2 texts.'],
    ['too many', [[1], [1], [1]], undefined, 'sent 3 embeddings for 2 texts.'],
    ['texts for numbers', [['1'], [1]], undefined, 'no list of numbers'],
    ['nothing but NaN', [[1], [null]], undefined, 'no list of numbers'],
    ['an empty list', [[], []], undefined, 'no list of numbers'],
    ['no list', [{ 0: 1 }, [1]], undefined, 'no list of numbers'],
    ['two lengths', [[1], [1, 2]], undefined, '2 numbers where others have 1'],
    ['another length than before', [[1], [1]], 3, '1 numbers where others have 3'],
  ])('says what is wrong: %s', (_what, raw, dimensions, fault) => {
    expect(checkVectors(raw, 2, dimensions)).toEqual({ fault: expect.stringContaining(fault) as string });
  });
});

describe('readIndexedVectors', () => {
  it('orders by index, and keeps the order where there is none', () => {
    const data = (...items: unknown[]): unknown => ({ data: items });
    expect(readIndexedVectors(data({ index: 1, embedding: 'b' }, { index: 0, embedding: 'a' }))).toEqual([
      'a',
      'b',
    ]);
    expect(readIndexedVectors(data({ embedding: 'a' }, { embedding: 'b' }))).toEqual(['a', 'b']);
  });

  it.each([
    ['an index twice', { data: [{ index: 0 }, { index: 0 }] }],
    ['an index too many', { data: [{ index: 0 }, { index: 2 }] }],
    ['no objects', { data: [1] }],
    ['no list', { data: {} }],
    ['nothing', null],
  ])('is undefined for %s', (_what, answer) => {
    expect(readIndexedVectors(answer)).toBeUndefined();
  });
});

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
