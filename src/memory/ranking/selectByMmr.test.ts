import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jaccard } from './jaccard.ts';
import { selectByMmr, type MmrItem } from './selectByMmr.ts';
import { tokenSet } from './tokenSet.ts';

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
  const stretched = relevances.map((each) => lambda * (most === least ? 1 : (each - least) / (most - least)));
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
