import type { PassageTerms } from './lexicalIndex.ts';
import { unpackTerms } from './packTerms.ts';

/** Numbers of terms with how much each counts. */
export type TermWeights = ReadonlyMap<number, number>;

/** What is known of the passages that a query found best. */
export interface Feedback {
  readonly terms: PassageTerms;
  /** Of the passage for the query; above 0. */
  readonly score: number;
}

export interface ExpandDeps {
  /** How much a term says: its inverse document frequency. */
  rarity(term: number): number;
  /** How much of the full gain a term has that occurs so often in a passage of that length; 0 to 1. */
  saturate(count: number, length: number): number;
  /** False for terms that no text has, such as file keys. */
  isWord(term: number): boolean;
}

/** How many of the best passages are asked, in how many a term has to occur, how many terms come in and what they count. */
export const feedback = { passages: 5, atLeastIn: 2, terms: 10, mass: 0.3, fewestAsked: 10 };

/**
 * Adds terms that the best passages have in common (pseudo-relevance feedback), which together count 0.3 of what the query itself
 * counts. Only for a query of ten or more terms, which describes a subject; a shorter one names a thing, and what else stands
 * beside it leads away from it. Measured, nDCG@10: Cranfield 0.400 → 0.415, CISI 0.393 → 0.422, first sentences → file 0.850 →
 * 0.853, code by its description 0.418 → 0.416; for short queries as well, that one 0.397.
 */
export function expandQuery(asked: TermWeights, best: readonly Feedback[], deps: ExpandDeps): TermWeights {
  if (asked.size < feedback.fewestAsked || best.length < feedback.atLeastIn) return asked;
  const found = new Map<number, { gain: number; passages: number }>();
  for (const { terms, score } of best) {
    unpackTerms(terms.packed, (term, count) => {
      if (!deps.isWord(term)) return;
      const known = found.get(term) ?? { gain: 0, passages: 0 };
      found.set(term, {
        gain: known.gain + score * deps.saturate(count, terms.length) * deps.rarity(term),
        passages: known.passages + 1,
      });
    });
  }
  const added = [...found]
    .filter(([, { passages }]) => passages >= feedback.atLeastIn)
    .sort(([termA, a], [termZ, z]) => z.gain - a.gain || termA - termZ)
    .slice(0, feedback.terms);
  const gained = added.reduce((sum, [, { gain }]) => sum + gain, 0);
  const whole = [...asked].reduce((sum, [term, weight]) => sum + weight * deps.rarity(term), 0);
  const expanded = new Map(asked);
  for (const [term, { gain }] of added) {
    const weight = (feedback.mass * whole * gain) / gained / deps.rarity(term);
    expanded.set(term, (expanded.get(term) ?? 0) + weight);
  }
  return expanded;
}
