import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySection } from '../../config/sections/memorySection.ts';
import {
  ageInDaysOf,
  bm25ToScore,
  calculateTemporalDecayMultiplier,
  type Candidate,
  cosineToScore,
  gateVectors,
  guardedHitsOf,
  jaccard,
  legWeights,
  mergeHybrid,
  type MmrItem,
  rankCandidates,
  type RankInput,
  selectByMmr,
  temporalDecay,
  tokenSet,
} from './rankCandidates.ts';

describe('rankCandidates', () => {
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
    return rankCandidates({
      candidates,
      query,
      hasVectors: false,
      now,
      limit: 20,
      minScore: 0.35,
      ...change,
    });
  }

  const passages = (ranked: readonly { passage: number }[]): readonly number[] =>
    ranked.map(({ passage }) => passage);

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

describe('temporalDecay', () => {
  const now = Date.UTC(2026, 10, 21, 12);

  describe('calculateTemporalDecayMultiplier', () => {
    it.each([
      [0, 1],
      [15, 0.7071], // e^(-ln 2 / 2) = 1 / √2
      [30, 0.5], // e^(-ln 2)
      [60, 0.25], // e^(-2 ln 2)
      [7, 0.8507], // 2^(-7/30)
      [-5, 1], // written ahead
    ])('at %d days and a half-life of 30 it is %d', (ageInDays, multiplier) => {
      expect(calculateTemporalDecayMultiplier({ ageInDays, halfLifeDays: 30 })).toBeCloseTo(multiplier, 4);
    });
  });

  describe('ageInDaysOf', () => {
    it.each([
      ['2026-11-21', 0.5], // noon of the day itself
      ['2026-10-22', 30.5],
      ['2026-12-24', 0], // the future counts as today
    ])('%s is %d days old', (date, age) => {
      expect(ageInDaysOf(date, now)).toBe(age);
    });

    it.each(['2026-02-30', '2026-13-01', '', 'yesterday', '2026-11-21T10:00'])('%j is no date', (date) => {
      expect(ageInDaysOf(date, now)).toBeUndefined();
    });
  });

  describe('temporalDecay', () => {
    const config = { enabled: true, halfLifeDays: 30, floor: 0.4 };

    it('leaves what has no date alone', () => {
      expect(temporalDecay(undefined, config)).toBe(1);
    });

    it('never goes below the floor', () => {
      expect(temporalDecay(30, config)).toBeCloseTo(0.5);
      expect(temporalDecay(60, config)).toBe(0.4); // 0.25 without the floor
      expect(temporalDecay(60, { ...config, floor: 0 })).toBeCloseTo(0.25);
    });

    it('is 1 when switched off', () => {
      expect(temporalDecay(60, { ...config, enabled: false })).toBe(1);
    });
  });
});

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

describe('gateVectors', () => {
  const item = (passage: number, textStrength = 0): { passage: number; textStrength: number } => ({
    passage,
    textStrength,
  });

  const passages = (items: readonly { passage: number }[]): readonly number[] =>
    items.map(({ passage }) => passage);

  it('lets meaning come first, and the best words second', () => {
    const order = [item(1), item(2), item(3), item(4, 8)];
    expect(passages(gateVectors(order))).toEqual([1, 4, 2, 3]);
  });

  it('gives the text at the worst every second place', () => {
    const order = [item(1), item(2), item(3), item(4), item(5, 7), item(6, 8), item(7, 6)];
    expect(passages(gateVectors(order))).toEqual([1, 6, 2, 5, 3, 7, 4]);
  });

  it('changes nothing where both legs agree well enough', () => {
    const order = [item(1, 8), item(2), item(3, 7), item(4), item(5)];
    expect(gateVectors(order)).toEqual(order);
  });

  it('does not raise what the words found by half as much or less', () => {
    const order = [item(1), item(2), item(3), item(4, 8), item(5, 3.9)];
    expect(passages(gateVectors(order))).toEqual([1, 4, 2, 3, 5]);
  });

  const orders = fc
    .array(fc.oneof(fc.constant(0), fc.double({ min: 0.1, max: 30, noNaN: true })), { maxLength: 30 })
    .map((strengths) => strengths.map((strength, at) => item(at, strength)));

  it('keeps the r-th hit of the text within the first 2r, whatever the merged order', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const gated = gateVectors(order);
        expect(passages(gated).toSorted((a, b) => a - b)).toEqual(passages(order));
        for (const [at, guarded] of guardedHitsOf(order).entries())
          expect(gated.indexOf(guarded)).toBeLessThan(2 * (at + 1));
      }),
    );
  });
});

describe('selectByMmr', () => {
  describe('jaccard', () => {
    it.each([
      ['red green blue', 'red green blue', 1],
      ['red green blue', 'red green black', 0.5], // 2 shared of 4
      ['red green blue', 'white', 0],
      ['red', 'red green blue white', 0.25],
      ['', '', 1],
    ])('%j and %j share %d', (a, b, share) => {
      const words = (text: string): Set<string> => new Set(text === '' ? [] : text.split(' '));
      expect(jaccard(words(a), words(b))).toBe(share);
    });
  });

  interface Item extends MmrItem {
    readonly name: string;
    readonly text: string;
  }

  const item = (name: string, relevance: number, text: string): Item => ({
    name,
    relevance,
    text,
    tokens: () => tokenSet(text),
  });

  describe('selectByMmr', () => {
    // Relevance stretched to 0–1: a 1, b (0.8 − 0.5) / 0.4 = 0.75, c 0.
    const a = item('a', 0.9, 'red green blue');
    const b = item('b', 0.8, 'Blue, green, red');
    const c = item('c', 0.5, 'black white');
    /** Names in the order chosen. */
    const namesOf = (lambda: number, items = [a, b, c]): readonly string[] =>
      selectByMmr(items, { lambda, limit: 10 }).map(({ item }) => item.name);

    it('sets a copy back where it is worth less than something new', () => {
      // λ = 0.7: b 0.7 × 0.75 − 0.3 × 1 = 0.225 beats c 0. λ = 0.5: b 0.375 − 0.5 = −0.125 does not.
      expect(namesOf(0.7)).toEqual(['a', 'b', 'c']);
      expect(namesOf(0.5)).toEqual(['a', 'c', 'b']);
    });

    it('tells what the likeness took away', () => {
      const choices = selectByMmr([a, b, c], { lambda: 0.7, limit: 10 });
      expect(choices.map(({ penalty }) => penalty)).toEqual([0, 1 - 0.7, 0]);
    });

    it('weighs a partial likeness by its share', () => {
      // d shares 2 of 4 words with a: 0.5 × 0.75 − 0.5 × 0.5 = 0.125 beats c 0; at λ = 0.3 it is 0.225 − 0.35 = −0.125.
      const d = item('d', 0.8, 'red green black');
      const other = item('c', 0.5, 'white');
      expect(namesOf(0.5, [a, d, other])).toEqual(['a', 'd', 'c']);
      expect(namesOf(0.3, [a, d, other])).toEqual(['a', 'c', 'd']);
    });

    it('ignores likenesses that are too small', () => {
      const d = item('d', 0.8, 'red green black');
      const choices = selectByMmr([a, d, item('c', 0.5, 'white')], {
        lambda: 0.3,
        limit: 10,
        leastSimilarity: 0.6,
      });
      expect(choices.map(({ item }) => item.name)).toEqual(['a', 'd', 'c']);
    });

    it('compares with what stands before all of them', () => {
      const choices = selectByMmr([a, c], { lambda: 0.3, limit: 10, before: [b] });
      // a 0.3 × 1 − 0.7 × 1 = −0.4, c 0
      expect(choices.map(({ item }) => item.name)).toEqual(['c', 'a']);
    });

    it('keeps the order of equals', () => {
      expect(namesOf(0.7, [item('x', 0.5, 'black'), item('a', 0.5, 'red')])).toEqual(['x', 'a']);
    });

    const items = fc.array(
      fc
        .tuple(
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.array(fc.constantFrom('red', 'green', 'blue', 'black'), { maxLength: 4 }),
        )
        .map(([relevance, words]) => item('', relevance, words.join(' '))),
      { maxLength: 12 },
    );

    it('with λ = 1 sorts by relevance alone', () => {
      fc.assert(
        fc.property(items, (given) => {
          const sorted = given.toSorted((x, y) => y.relevance - x.relevance);
          expect(selectByMmr(given, { lambda: 1, limit: 99 }).map(({ item }) => item)).toEqual(sorted);
        }),
      );
    });

    it('chooses as the plain algorithm does, which compares everything with everything', () => {
      fc.assert(
        fc.property(items, fc.constantFrom(0, 0.3, 0.5, 0.7, 0.9), (given, lambda) => {
          const choices = selectByMmr(given, { lambda, limit: 99 }).map(({ item }) => item);
          expect(choices.map((item) => given.indexOf(item))).toEqual(plainMmr(given, lambda));
        }),
      );
    });

    it('with a smaller limit gives the head of the same list', () => {
      fc.assert(
        fc.property(items, fc.nat(12), (given, limit) => {
          const all = selectByMmr(given, { lambda: 0.5, limit: 99 });
          expect(selectByMmr(given, { lambda: 0.5, limit })).toEqual(all.slice(0, limit));
        }),
      );
    });
  });

  /** Straight from the formula, by positions. */
  function plainMmr(items: readonly Item[], lambda: number): readonly number[] {
    const relevances = items.map(({ relevance }) => relevance);
    const [least, most] = [Math.min(...relevances), Math.max(...relevances)];
    const stretched = relevances.map(
      (each) => lambda * (most === least ? 1 : (each - least) / (most - least)),
    );
    const words = items.map(({ text }) => new Set(text === '' ? [] : text.split(' ')));
    const chosen: number[] = [];
    const byRelevance = stretched.map((_, at) => at).sort((x, y) => stretched[y]! - stretched[x]!);
    while (chosen.length < items.length) {
      const value = (at: number): number =>
        stretched[at]! -
        (1 - lambda) * Math.max(0, ...chosen.map((other) => jaccard(words[at]!, words[other]!)));
      const left = byRelevance.filter((at) => !chosen.includes(at));
      chosen.push(left.reduce((best, at) => (value(at) > value(best) ? at : best)));
    }
    return chosen;
  }
});

describe('tokenSet', () => {
  it('holds each word once, in lower case', () => {
    expect([...tokenSet('Set the KEY, set_it: the key2')]).toEqual(['set', 'the', 'key', 'set_it', 'key2']);
  });

  it('cuts Chinese, Japanese and Korean into characters and pairs', () => {
    expect([...tokenSet('设置密 v2')]).toEqual(['设', '置', '密', '设置', '置密', 'v2']);
    expect([...tokenSet('ab设置')]).toEqual(['ab', '设', '置', '设置']);
  });

  it('knows other alphabets', () => {
    expect([...tokenSet('Ключ für API')]).toEqual(['ключ', 'für', 'api']);
  });
});
