import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVectorTable } from './createLiveIndex.ts';

const vector = (...values: readonly number[]): Float32Array => Float32Array.from(values);

describe('createVectorTable', () => {
  it('gives the nearest first, equal ones by number', () => {
    const table = createVectorTable();
    table.set(4, vector(1, 0));
    table.set(2, vector(0, 1));
    table.set(3, vector(1, 0));
    expect(table.nearest(vector(1, 0), 9)).toEqual([
      { passage: 3, cosine: 1 },
      { passage: 4, cosine: 1 },
      { passage: 2, cosine: 0 },
    ]);
    expect(table.nearest(vector(1, 0), 9, (passage) => passage !== 3).map(({ passage }) => passage)).toEqual([
      4, 2,
    ]);
  });

  it('leaves out what has other dimensions', () => {
    const table = createVectorTable();
    table.set(1, vector(1, 0));
    table.set(2, vector(1, 0, 0));
    expect(table.size).toBe(1);
    expect(table.nearest(vector(1, 0, 0), 9)).toEqual([]);
    expect(table.cosine(1, vector(1, 0, 0))).toBeUndefined();
  });

  const change = fc.record({
    passage: fc.integer({ min: 0, max: 300 }),
    value: fc.option(fc.integer({ min: -3, max: 3 }), { freq: 4 }),
  });

  it('agrees with a list that is sorted, for any changes, and a short answer is the head of a long one', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 600 }), fc.integer({ min: 1, max: 40 }), (changes, limit) => {
        const table = createVectorTable();
        const expected = new Map<number, number>();
        for (const { passage, value } of changes) {
          if (value === null) {
            table.remove(passage);
            expected.delete(passage);
          } else {
            table.set(passage, vector(value, 1));
            expected.set(passage, value);
          }
        }
        const sorted = [...expected]
          .map(([passage, value]) => ({ passage, cosine: value }))
          .sort((a, b) => b.cosine - a.cosine || a.passage - b.passage);
        expect(table.size).toBe(expected.size);
        expect(table.nearest(vector(1, 0), limit)).toEqual(sorted.slice(0, limit));
      }),
    );
  });
});
