import { inertLine } from '../../base/text.ts';
import type { Hunk } from '../../approvals/hunks.ts';
import type { ReviewFile } from './createReviewState.ts';

export type ReviewSide = 'before' | 'after';

/** Where a hunk stands in a document, as the editor counts lines: from 0, `end` is the line behind it. */
export interface HunkPlace {
  readonly start: number;
  readonly end: number;
}

/**
 * The place of each hunk on one side. A hunk without lines there has `start === end`. The editor begins a line after a
 * lone carriage return, too, where hunks don't. Pure.
 */
export function hunkPlaces({ edit, hunks }: ReviewFile, side: ReviewSide): readonly HunkPlace[] {
  const text = edit[side] ?? '';
  const extraBefore = loneReturns(text);
  return hunks.map((hunk) => {
    const first = side === 'before' ? hunk.beforeStart : hunk.afterStart;
    const count = linesOf(hunk, side).length;
    return { start: first + extraBefore(first), end: first + count + extraBefore(first + count) };
  });
}

/** The hunk at a line or, where there is none, the nearest; of two equally near ones the upper. Pure. */
export function hunkNear(places: readonly HunkPlace[], line: number): number | undefined {
  const distance = ({ start, end }: HunkPlace): number =>
    Math.max(start - line, line - Math.max(start, end - 1), 0);
  const nearest = Math.min(...places.map(distance));
  const found = places.findIndex((place) => distance(place) === nearest);
  return found === -1 ? undefined : found;
}

/** What one row of the tree and one lens say of a hunk; lines count from 1. */
interface HunkSummary {
  readonly first: number;
  readonly last: number;
  readonly added: number;
  readonly removed: number;
  /** The first line that says something, with its sign: `+ day two`. */
  readonly sample: string;
}

/** Counted in the new text, or in the old one where lines are only removed. Pure. */
export function summarizeHunk(hunk: Hunk): HunkSummary {
  const side: ReviewSide = hunk.added.length > 0 ? 'after' : 'before';
  const lines = linesOf(hunk, side);
  const first = (side === 'after' ? hunk.afterStart : hunk.beforeStart) + 1;
  const telling = lines.find((line) => line.trim() !== '') ?? '';
  return {
    first,
    last: first + Math.max(lines.length, 1) - 1,
    added: hunk.added.length,
    removed: hunk.removed.length,
    sample: telling === '' ? '' : `${side === 'after' ? '+' : '−'} ${inertLine(telling, maxSample)}`,
  };
}

const maxSample = 80;

function linesOf(hunk: Hunk, side: ReviewSide): readonly string[] {
  return side === 'before' ? hunk.removed : hunk.added;
}

/** How many line breaks that are a lone carriage return stand before a line. */
function loneReturns(text: string): (line: number) => number {
  // Nearly every text has none, and looking for one is fast.
  if (!/\r(?!\n)/u.test(text)) return () => 0;
  const places: number[] = [];
  let line = 0;
  for (const match of text.matchAll(/\r\n|\n|\r/gu)) {
    if (match[0] === '\r') places.push(line);
    else line += 1;
  }
  return (before) => places.filter((each) => each < before).length;
}
