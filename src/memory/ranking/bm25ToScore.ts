/**
 * A BM25 score as a number from 0 to 1 in the same order: `s / (1 + s)` (the formula of OpenClaw core flow gives 1.0 to every hit).
 * What is no positive number counts as no hit, and a boundless one as a full hit.
 */
export function bm25ToScore(bm25: number): number {
  if (!(bm25 > 0)) return 0;
  return bm25 === Infinity ? 1 : bm25 / (1 + bm25);
}
