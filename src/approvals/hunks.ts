import { diffArrays, type ChangeObject } from 'diff';
import type { FileEdit } from '../contracts/tool.ts';
import { linesOf } from '../base/text.ts';
import { commonStart } from './countLineChanges.ts';

/** One run of neighbouring changed lines; lines keep their ends. */
export interface Hunk {
  /** Number of the first line, counting from 0, in the old and in the new text. */
  readonly beforeStart: number;
  readonly afterStart: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Beyond this many differing lines all between the first and the last change is one hunk: nobody reviews that line by line. */
const maxEditLength = 2_000;

/** The hunks of an edit, from the top; making or deleting a file is one, even where the file is empty. Pure. */
export function findHunks({ before, after }: Pick<FileEdit, 'before' | 'after'>): readonly Hunk[] {
  const old = linesOf(before ?? '');
  const next = linesOf(after ?? '');
  if (before === null || after === null) {
    return [{ beforeStart: 0, afterStart: 0, removed: old, added: next }];
  }
  if (before === after) return [];
  const start = commonStart(old, next);
  const end = commonStart(old.slice(start).reverse(), next.slice(start).reverse());
  const removed = old.slice(start, old.length - end);
  const added = next.slice(start, next.length - end);
  const changes = diffArrays(removed, added, { maxEditLength });
  return changes === undefined
    ? [{ beforeStart: start, afterStart: start, removed, added }]
    : toHunks(changes, start);
}

/** Neighbouring removed and added runs are one hunk. */
function toHunks(changes: readonly ChangeObject<string[]>[], start: number): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let [beforeStart, afterStart] = [start, start];
  let open: { removed: string[]; added: string[] } | undefined;
  for (const { added, removed, value } of changes) {
    if (!added && !removed) {
      beforeStart += value.length;
      afterStart += value.length;
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = { removed: [], added: [] };
      hunks.push({ beforeStart, afterStart, ...open });
    }
    if (added) {
      open.added.push(...value);
      afterStart += value.length;
    } else {
      open.removed.push(...value);
      beforeStart += value.length;
    }
  }
  return hunks;
}

/** The text once some hunks are refused: exactly the old lines in their place. Null where the file is not (or no longer) there. Pure. */
export function withoutHunks(
  edit: Pick<FileEdit, 'before' | 'after'>,
  rejected: ReadonlySet<number>,
): string | null {
  const { before, after } = edit;
  if (rejected.size === 0) return after;
  const hunks = findHunks(edit);
  if (hunks.every((_, at) => rejected.has(at))) return before;
  if (before === null || after === null) return after;
  const old = linesOf(before);
  let text = '';
  let at = 0;
  for (const [index, { beforeStart, removed, added }] of hunks.entries()) {
    text += old.slice(at, beforeStart).join('') + (rejected.has(index) ? removed : added).join('');
    at = beforeStart + removed.length;
  }
  return text + old.slice(at).join('');
}
