import { describe, expect, it } from 'vitest';
import { checkVectors } from './checkVectors.ts';
import { readIndexedVectors } from './providers/readIndexedVectors.ts';

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
