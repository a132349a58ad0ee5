/** How relevant documents are for a query, by id; what is absent is not. */
export type Grades = Readonly<Record<string, number>>;

/**
 * nDCG at a depth: the gains `2^grade − 1` of a ranking, each divided by `log2(rank + 1)`, as a share of what the best ranking
 * would have. 0 where nothing is relevant.
 */
export function ndcgAt(depth: number, ranking: readonly string[], grades: Grades): number {
  const best = Object.values(grades).sort((a, b) => b - a);
  const ideal = discountedGain(depth, best);
  if (ideal === 0) return 0;
  return (
    discountedGain(
      depth,
      ranking.map((id) => grades[id] ?? 0),
    ) / ideal
  );
}

/** The share of the relevant documents that are among the first so many. 0 where nothing is relevant. */
export function recallAt(depth: number, ranking: readonly string[], grades: Grades): number {
  const relevant = Object.keys(grades).filter((id) => (grades[id] ?? 0) > 0);
  if (relevant.length === 0) return 0;
  const found = new Set(ranking.slice(0, depth));
  return relevant.filter((id) => found.has(id)).length / relevant.length;
}

/** The value that so large a share of the values does not exceed; 0 for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function discountedGain(depth: number, grades: readonly number[]): number {
  return grades
    .slice(0, depth)
    .reduce((sum, grade, index) => sum + (2 ** Math.max(0, grade) - 1) / Math.log2(index + 2), 0);
}
