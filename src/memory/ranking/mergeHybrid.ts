import { bm25ToScore } from './bm25ToScore.ts';
import type { Candidate } from './ranking.ts';

/** Adds up to 1. */
export interface LegWeights {
  readonly text: number;
  readonly vector: number;
}

/** The config's weights with a sum of 1; without vectors all of it is the text's. Both 0 says nothing, so both count alike. */
export function legWeights(
  config: { readonly textWeight: number; readonly vectorWeight: number },
  hasVectors: boolean,
): LegWeights {
  if (!hasVectors) return { text: 1, vector: 0 };
  const sum = config.textWeight + config.vectorWeight;
  if (sum === 0) return { text: 0.5, vector: 0.5 };
  return { text: config.textWeight / sum, vector: config.vectorWeight / sum };
}

/** A cosine as a score: upstream's `1 - distance` is the cosine itself; what points away is no hit. */
export function cosineToScore(cosine: number): number {
  return Number.isNaN(cosine) ? 0 : Math.min(1, Math.max(0, cosine));
}

/**
 * `vw × vector + tw × text` (OpenClaw core flow). A leg that does not know the passage adds nothing.
 *
 * `decay` multiplies what each leg measured: the cosine's score and the BM25 score. For the vector leg that is the seed's
 * product. The text leg is squeezed to 0–1 after it, because `s / (1 + s)` is near 1 for every good hit: a product with it
 * would set any undated passage with one common word above a month-old note with all of the words.
 */
export function mergeHybrid(
  { bm25 = 0, cosine = 0 }: Pick<Candidate, 'bm25' | 'cosine'>,
  weights: LegWeights,
  decay = 1,
): number {
  return weights.vector * decay * cosineToScore(cosine) + weights.text * bm25ToScore(decay * bm25);
}
