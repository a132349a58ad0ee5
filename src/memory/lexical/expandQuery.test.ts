import { describe, expect, it } from 'vitest';
import { expandQuery, type Feedback } from './expandQuery.ts';
import { packTerms } from './packTerms.ts';

/** A rarity of 1 for all, so that a gain is the score times how saturated the count is. */
const deps = {
  rarity: () => 1,
  saturate: (count: number) => count / (count + 1),
  isWord: (term: number) => term < 900,
};
const asked = new Map(Array.from({ length: 10 }, (_, term) => [term, 1]));
const best = (...each: readonly (readonly [number, Readonly<Record<number, number>>])[]): Feedback[] =>
  each.map(([score, counts]) => ({
    score,
    terms: {
      packed: packTerms(new Map(Object.entries(counts).map(([term, count]) => [Number(term), count]))),
      length: 10,
    },
  }));

describe('expandQuery', () => {
  it('adds what two passages share, in proportion to what it gained, 0.3 of the query in all', () => {
    const expanded = expandQuery(
      asked,
      best([2, { 50: 1, 60: 1, 70: 3 }], [1, { 50: 1, 60: 3, 999: 1 }], [1, { 999: 1 }]),
      deps,
    );
    // 50: 2/2 + 1/2 = 1.5; 60: 2/2 + 3/4 = 1.75; together 0.3 × 10.
    expect(expanded.get(50)).toBeCloseTo((3 * 1.5) / 3.25, 10);
    expect(expanded.get(60)).toBeCloseTo((3 * 1.75) / 3.25, 10);
    expect([...expanded.keys()].filter((term) => term >= 10)).toEqual([60, 50]);
  });

  it('strengthens a term that was asked for', () => {
    expect(expandQuery(asked, best([1, { 3: 1 }], [1, { 3: 1 }]), deps).get(3)).toBeCloseTo(4, 10);
  });

  it('leaves a short query as it is, and one that found too little', () => {
    const short = new Map([...asked].slice(1));
    expect(expandQuery(short, best([1, { 50: 1 }], [1, { 50: 1 }]), deps)).toBe(short);
    expect(expandQuery(asked, best([1, { 50: 1 }]), deps)).toBe(asked);
    expect(expandQuery(asked, best([1, { 50: 1 }], [1, { 60: 1 }]), deps)).toEqual(asked);
  });

  it('adds ten terms at most, the most telling', () => {
    const counts = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [100 + index, index + 1]));
    const expanded = expandQuery(asked, best([1, counts], [1, counts]), deps);
    expect(expanded.size).toBe(20);
    expect(expanded.has(129)).toBe(true);
    expect(expanded.has(110)).toBe(false);
  });
});
