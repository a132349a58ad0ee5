import type { PassageBlock } from './readPassageBlocks.ts';

/** The part of a passage that is quoted. */
export interface Excerpt {
  readonly blocks: readonly PassageBlock[];
  /** The line with most words of the query, 0-based from the first of the passage; undefined where none has one. */
  readonly matched: number | undefined;
  /** True where the passage has more before or after it. */
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/**
 * The block that has most words of the query, with as many of its neighbours as fit into `maxLength` characters: those after
 * it first, since an answer follows its question. Of a block that is too long on its own, lines are chosen in the same way.
 * The passage's own headings are left out.
 */
export function planExcerpt(passage: readonly PassageBlock[], query: string, maxLength: number): Excerpt {
  const blocks = passage.filter((block) => block.kind !== 'heading');
  const words = wordsOf(query);
  const window = planWindow(
    blocks.map((block) => block.lines.join('\n')),
    words,
    maxLength,
  );
  const chosen = blocks.slice(window.first, window.last + 1);
  const [only] = chosen;
  const fitting =
    only === undefined || lengthOf(only.lines) <= maxLength ? chosen : [fit(only, words, maxLength)];
  const [first] = fitting;
  return {
    blocks: fitting,
    matched: matchedLine(blocks[window.best], words),
    isCutBefore: window.first > 0 || first?.first !== only?.first,
    isCutAfter: window.last + 1 < blocks.length || endOf(fitting.at(-1)) !== endOf(chosen.at(-1)),
  };
}

/** The best piece and its neighbours, first and last included; the best one is in it however long it is. */
function planWindow(
  pieces: readonly string[],
  words: readonly string[],
  maxLength: number,
): { readonly best: number; readonly first: number; readonly last: number } {
  const best = indexOfHighest(scorePieces(pieces, words));
  let [first, last] = [best, best];
  let room = maxLength - (pieces[best]?.length ?? 0);
  const takes = (piece: string | undefined): boolean => {
    if (piece === undefined || piece.length >= room) return false;
    room -= piece.length + 1;
    return true;
  };
  while (takes(pieces[last + 1])) last += 1;
  while (takes(pieces[first - 1])) first -= 1;
  return { best, first, last };
}

function matchedLine(block: PassageBlock | undefined, words: readonly string[]): number | undefined {
  if (block === undefined) return undefined;
  const scores = scorePieces(block.lines, words);
  const at = indexOfHighest(scores);
  return (scores[at] ?? 0) > 0 ? block.first + at : undefined;
}

/** The first of several; 0 where there is none. */
function indexOfHighest(scores: readonly number[]): number {
  return scores.reduce((at, score, index) => (score > (scores[at] ?? 0) ? index : at), 0);
}

/** The words that a piece has; one that many pieces have says less. */
function scorePieces(pieces: readonly string[], words: readonly string[]): number[] {
  const lower = pieces.map((piece) => piece.toLowerCase());
  const weights = words.map((word) => 1 / Math.max(1, lower.filter((piece) => piece.includes(word)).length));
  return lower.map((piece) =>
    words.reduce((sum, word, index) => sum + (piece.includes(word) ? (weights[index] ?? 0) : 0), 0),
  );
}

/** The best lines of a block that is too long. */
function fit(block: PassageBlock, words: readonly string[], maxLength: number): PassageBlock {
  const window = planWindow(block.lines, words, maxLength);
  const lines = block.lines.slice(window.first, window.last + 1).map((line) => line.slice(0, maxLength));
  return { ...block, first: block.first + window.first, lines };
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function endOf(block: PassageBlock | undefined): string {
  return block === undefined ? '' : `${block.first + block.lines.length}:${block.lines.at(-1)?.length ?? 0}`;
}

/** The words of the query, and their beginnings: `configured` and `configuration` share one. */
function wordsOf(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  return [...new Set(words.flatMap((word) => [word, word.slice(0, Math.max(4, word.length - 3))]))];
}
