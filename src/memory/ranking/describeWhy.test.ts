import { describe, expect, it } from 'vitest';
import type { ScoreParts } from '../memory.ts';
import { describeWhy } from './describeWhy.ts';

const rowsOf = (why: Partial<ScoreParts>): readonly string[] =>
  describeWhy({ why: { weighted: 0.5, decay: 1, similarity: 0, ...why } });

describe('describeWhy', () => {
  it('has a row for each part', () => {
    expect(
      rowsOf({
        exact: 'file',
        text: {
          score: 0.865,
          bm25: 6.4,
          terms: [
            { term: 'setup', bm25: 4.1 },
            { term: 'key', bm25: 2.31 },
          ],
        },
        vector: { score: 0.4, cosine: 0.4 },
        decay: 0.6156,
        ageInDays: 21,
        similarity: 0.21,
      }),
    ).toEqual([
      'The query names this file',
      'Words 0.86: setup 4.1, key 2.3',
      'Meaning 0.40',
      '3 weeks old: ×0.62',
      'Much like a better hit: −0.21',
    ]);
  });

  it('says nothing of what played no part', () => {
    expect(rowsOf({ vector: { score: 0.4, cosine: 0.4 } })).toEqual(['Meaning 0.40']);
  });

  it('names the strongest six words', () => {
    const terms = 'abcdefgh'.split('').map((term) => ({ term, bm25: 1 }));
    expect(rowsOf({ text: { score: 0.5, bm25: 8, terms } })).toEqual([
      'Words 0.50: a 1.0, b 1.0, c 1.0, d 1.0, e 1.0, f 1.0 and 2 more',
    ]);
  });

  it.each([
    [0.4, 'Of today'],
    [1.9, '1 day old'],
    [13, '13 days old'],
    [14, '2 weeks old'],
    [61, '2 months old'],
    [800, '2 years old'],
  ])('%d days: %s', (ageInDays, row) => {
    expect(rowsOf({ ageInDays })).toEqual([row]);
  });
});
