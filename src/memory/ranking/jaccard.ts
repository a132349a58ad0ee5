/** What two sets share of all they hold: 0 for nothing, 1 for all of it. Two empty sets are equal, so 1. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (large.size === 0) return 1;
  let shared = 0;
  for (const token of small) if (large.has(token)) shared += 1;
  return shared / (small.size + large.size - shared);
}
