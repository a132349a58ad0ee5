import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySection } from '../../config/sections/memorySection.ts';
import { rankCandidates } from './rankCandidates.ts';
import type { Candidate, RankInput } from './ranking.ts';

const query = memorySection.resolve(undefined).query;
const now = Date.UTC(2026, 10, 21);

/** Texts that share no word, so that nothing is a near copy unless it says so. */
function candidate(passage: number, scores: Partial<Candidate>): Candidate {
  return { passage, date: undefined, text: `word${passage}`, ...scores };
}

function rank(
  candidates: readonly Candidate[],
  change: Partial<RankInput> = {},
): ReturnType<typeof rankCandidates> {
  return rankCandidates({ candidates, query, hasVectors: false, now, limit: 20, minScore: 0.35, ...change });
}

const passages = (ranked: readonly { passage: number }[]): readonly number[] =>
  ranked.map(({ passage }) => passage);

describe('rankCandidates', () => {
  it('without vectors the text score decides, and no score is too low', () => {
    const ranked = rank([candidate(1, { bm25: 0.25 }), candidate(2, { bm25: 3 })]);
    expect(ranked.map(({ passage, score }) => [passage, score])).toEqual([
      [2, 0.75], // 3 / 4
      [1, 0.2], // 0.25 / 1.25, below minScore
    ]);
  });

  it('takes no notice of cosines while the vector leg is off', () => {
    const [first, second] = rank([candidate(1, { bm25: 1, cosine: 0.9 }), candidate(2, { bm25: 3 })]);
    expect(first?.passage).toBe(2);
    expect(second?.why.vector).toBeUndefined();
  });

  it('tells each part of a hybrid score', () => {
    const dated = candidate(1, { bm25: 4, cosine: 0.8, date: '2026-10-22' });
    expect(rank([dated], { hasVectors: true })[0]).toEqual({
      passage: 1,
      score: expect.closeTo(0.48) as number, // 0.7 × 0.8 / 2 + 0.3 × 2/3
      why: {
        text: { score: 0.8, bm25: 4 },
        vector: { score: 0.8, cosine: 0.8 },
        weighted: expect.closeTo(0.8) as number, // 0.7 × 0.8 + 0.3 × 0.8
        decay: 0.5,
        ageInDays: 30,
        similarity: 0,
      },
    });
  });

  it('sets the newer of two equal notes first, and one without a date before both', () => {
    const ranked = rank([
      candidate(1, { bm25: 5, date: '2026-09-01' }),
      candidate(2, { bm25: 5, date: '2026-11-20' }),
      candidate(3, { bm25: 5 }),
    ]);
    expect(passages(ranked)).toEqual([3, 2, 1]);
  });

  it('sets what the query names before everything else', () => {
    const ranked = rank(
      [
        candidate(1, { bm25: 30, cosine: 0.9 }),
        candidate(2, { bm25: 0.1, exact: 'id', date: '2020-01-01' }),
        candidate(3, { bm25: 0.2, exact: 'file' }),
      ],
      { hasVectors: true },
    );
    expect(passages(ranked)).toEqual([3, 2, 1]);
    expect(ranked[1]?.why.exact).toBe('id');
  });

  it('sets a near copy back, and says so', () => {
    const text = 'the deploy key is kept in the vault';
    const ranked = rank([
      candidate(1, { bm25: 9, text }),
      candidate(2, { bm25: 8.9, text: `${text} now` }),
      candidate(3, { bm25: 7 }),
      candidate(4, { bm25: 1 }),
    ]);
    // Scores 0.9, 0.899, 0.875, 0.5. Stretched, the copy has 0.9975 and shares 7 of 8 words:
    // 0.7 × 0.9975 − 0.3 × 7/8 = 0.436, below 0.7 × 0.9375 = 0.656 of the third.
    expect(passages(ranked)).toEqual([1, 3, 2, 4]);
    expect(ranked.map(({ why }) => why.similarity)).toEqual([0, 0, expect.closeTo(0.2625), 0]);
  });

  it('leaves passages alone that share less than three of five words', () => {
    const ranked = rank([
      candidate(1, { bm25: 9, text: 'a b c d e f' }),
      candidate(2, { bm25: 8.9, text: 'a b c d g h' }),
      candidate(3, { bm25: 8.8 }),
    ]);
    expect(passages(ranked)).toEqual([1, 2, 3]);
  });

  it('reads the texts of those near the top alone', () => {
    let read = 0;
    const candidates = Array.from({ length: 400 }, (_, at) => ({
      passage: at,
      bm25: 20 - at / 20,
      date: undefined,
      get text() {
        read += 1;
        return `word${at}`;
      },
    }));
    rank(candidates, { limit: 6 });
    expect(read).toBeLessThan(10);
  });

  it('leaves hybrid hits below minScore out, but not what the words found best', () => {
    const candidates = [
      candidate(1, { cosine: 0.9 }), // 0.63
      candidate(2, { cosine: 0.4 }), // 0.28
      candidate(3, { bm25: 9 }), // 0.27
    ];
    expect(passages(rank(candidates, { hasVectors: true }))).toEqual([1, 3]);
  });

  it('sets the best words second at the latest, however high the vectors stand', () => {
    const candidates = [
      ...[1, 2, 3, 4].map((passage) => candidate(passage, { cosine: 0.9 })), // 0.63 each
      candidate(5, { bm25: 9 }), // 0.27
      candidate(6, { bm25: 8 }), // 0.267
    ];
    expect(passages(rank(candidates, { hasVectors: true }))).toEqual([1, 5, 2, 6, 3, 4]);
  });

  it('gives the low ones rather than none', () => {
    const candidates = [candidate(1, { cosine: 0.2 }), candidate(2, { cosine: 0.4 })];
    expect(passages(rank(candidates, { hasVectors: true }))).toEqual([2, 1]);
  });

  it('orders equal ones by passage, however they came', () => {
    const candidates = [3, 1, 2].map((passage) => candidate(passage, { bm25: 2 }));
    expect(passages(rank(candidates))).toEqual([1, 2, 3]);
  });

  it('is not confused by scores that are no numbers', () => {
    const ranked = rank(
      [
        candidate(1, { bm25: Number.NaN, cosine: Number.NaN }),
        candidate(2, { bm25: Infinity }),
        candidate(3, { bm25: 1 }),
      ],
      { hasVectors: true, minScore: 0 },
    );
    expect(passages(ranked)).toEqual([2, 3, 1]);
    for (const { score } of ranked) expect(score).toBeGreaterThanOrEqual(0);
  });

  const optional = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc.option(values, { nil: undefined });
  const inputs = fc.array(
    fc.record({
      bm25: optional(fc.double({ min: 0.01, max: 40, noNaN: true })),
      cosine: optional(fc.double({ min: -1, max: 1, noNaN: true })),
      exact: fc.oneof(
        { weight: 8, arbitrary: fc.constant(undefined) },
        fc.constantFrom('file' as const, 'id' as const),
      ),
      date: optional(fc.constantFrom('2026-11-01', '2026-06-01', '2019-01-01')),
      words: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 }),
    }),
    { maxLength: 25, size: 'max' },
  );
  const toCandidates = (drawn: ReturnType<typeof inputs.generate>['value']): readonly Candidate[] =>
    drawn.map(({ bm25, cosine, exact, date, words }, passage) => ({
      passage,
      date,
      text: words.join(' '),
      ...(bm25 === undefined ? {} : { bm25 }),
      ...(cosine === undefined ? {} : { cosine }),
      ...(exact === undefined ? {} : { exact }),
    }));

  it('answers with a small limit what it answers with a large one, cut off', () => {
    fc.assert(
      fc.property(inputs, fc.boolean(), fc.nat(25), (drawn, hasVectors, limit) => {
        const candidates = toCandidates(drawn);
        const all = rank(candidates, { hasVectors, limit: 30 });
        expect(rank(candidates.toReversed(), { hasVectors, limit })).toEqual(all.slice(0, limit));
      }),
    );
  });

  it('never lets vectors push out what the query names or what the words found best', () => {
    fc.assert(
      fc.property(inputs, (drawn) => {
        // Every text is different here: near copies are another rule.
        const candidates = toCandidates(drawn).map((each) => ({ ...each, text: `word${each.passage}` }));
        const order = passages(rank(candidates, { hasVectors: true, limit: 30 }));
        const named = candidates.filter(({ exact }) => exact !== undefined).map(({ passage }) => passage);
        expect(order.slice(0, named.length).toSorted((a, b) => a - b)).toEqual(named);
        const byText = candidates.filter(({ exact, bm25 }) => exact === undefined && bm25 !== undefined);
        const best = rank(byText, { limit: 1 })[0]?.passage;
        if (best !== undefined) expect(order.indexOf(best)).toBeLessThan(named.length + 2);
      }),
    );
  });
});
