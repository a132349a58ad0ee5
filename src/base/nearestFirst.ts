import { editDistance } from './editDistance.ts';

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
