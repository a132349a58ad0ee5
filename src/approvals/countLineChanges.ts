import { diffArrays } from 'diff';
import { linesOf } from '../base/text.ts';

/** Above this many differing lines the exact count is not worth the time. */
const maxEditLength = 2_000;

/** How many lines an edit adds and removes. Large rewrites are counted as "all of the middle", which is never too few. */
export function countLineChanges(
  before: string,
  after: string,
): { readonly added: number; readonly removed: number } {
  const old = linesOf(before);
  const next = linesOf(after);
  const start = commonStart(old, next);
  const end = commonStart(old.slice(start).reverse(), next.slice(start).reverse());
  const oldMiddle = old.slice(start, old.length - end);
  const nextMiddle = next.slice(start, next.length - end);
  const changes = diffArrays(oldMiddle, nextMiddle, { maxEditLength });
  if (changes === undefined) return { added: nextMiddle.length, removed: oldMiddle.length };
  const count = (kind: 'added' | 'removed'): number =>
    changes.filter((change) => change[kind]).reduce((sum, change) => sum + change.value.length, 0);
  return { added: count('added'), removed: count('removed') };
}

/** How many elements both begin with. */
export function commonStart(a: readonly string[], b: readonly string[]): number {
  const length = Math.min(a.length, b.length);
  let count = 0;
  while (count < length && a[count] === b[count]) count += 1;
  return count;
}
