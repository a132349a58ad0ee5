import { diffArrays } from 'diff';
import type { FileEdit } from '../contracts/tool.ts';
import { toLines } from './countLineChanges.ts';

/** One run of neighbouring changed lines; lines keep their ends. */
export interface Hunk {
  /** Number of the first line, counting from 0, in the old and in the new text. */
  readonly beforeStart: number;
  readonly afterStart: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Beyond this many differing lines the middle is one hunk: nobody reviews such a rewrite line by line. */
const maxEditLength = 2_000;

/** The hunks of an edit, from the top; making or deleting a file is one. Pure. */
export function findHunks({ before, after }: Pick<FileEdit, 'before' | 'after'>): readonly Hunk[] {
  const old = toLines(before ?? '');
  const next = toLines(after ?? '');
  const whole: Hunk = { beforeStart: 0, afterStart: 0, removed: old, added: next };
  if (before === null || after === null) return [whole];
  const changes = diffArrays([...old], [...next], { maxEditLength });
  if (changes === undefined) return [whole];
  const hunks: Hunk[] = [];
  let [beforeStart, afterStart] = [0, 0];
  let open: { removed: string[]; added: string[] } | undefined;
  for (const { added = false, removed = false, value } of changes) {
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
  const old = toLines(before);
  const lines: string[] = [];
  let at = 0;
  for (const [index, { beforeStart, removed, added }] of hunks.entries()) {
    lines.push(...old.slice(at, beforeStart), ...(rejected.has(index) ? removed : added));
    at = beforeStart + removed.length;
  }
  return [...lines, ...old.slice(at)].join('');
}
