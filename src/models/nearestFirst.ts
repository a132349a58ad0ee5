/** `known` with the names that look most like `wanted` first; equal ones stay in their order. Case does not count. */
export function nearestFirst(wanted: string, known: readonly string[]): string[] {
  const distances = new Map(known.map((name) => [name, distance(wanted.toLowerCase(), name.toLowerCase())]));
  return [...known].sort((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0));
}

/** Share of the longer text that differs; a text within the other counts as half that. */
function distance(a: string, b: string): number {
  const share = editDistance(a, b) / Math.max(a.length, b.length, 1);
  const within = a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a));
  return within ? share / 2 : share;
}

/** Insertions, deletions and replacements that turn one text into the other (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
