import type { MarkdownBlock } from './readMarkdownBlocks.ts';
import { estimateTokens, splitLine } from './tokens.ts';

/** How passages are cut, in tokens. */
export interface Chunking {
  /** The most that a passage has; a code fence alone may be longer. */
  readonly tokens: number;
  /** The most that a passage repeats of the one before it, where a section is cut in its middle. */
  readonly overlap: number;
}

export interface MarkdownPassage {
  /** 1-based. */
  readonly startLine: number;
  /** 1-based, included. */
  readonly endLine: number;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
  /** The lines as they are in the file, joined by line feeds; a part of one line where that alone is too long. */
  readonly text: string;
}

/** Fills passages with the blocks of one section after the other. */
export interface PassageCutter {
  beginSection(headings: readonly string[]): void;
  /** Takes the next block; gives the passages that are complete by that. */
  add(block: MarkdownBlock): Generator<MarkdownPassage>;
  /** Gives the passage that is still open. */
  endSection(): Generator<MarkdownPassage>;
}

/** A fence above this is cut like any text: megabytes of pasted output are no passage that anybody could read. */
const maxFenceTokens = 25_000;

export function createPassageCutter(lines: readonly string[], chunking: Chunking): PassageCutter {
  const { tokens: most } = chunking;
  const overlap = Math.min(chunking.overlap, most / 2);
  const tokensOf = createMeasure(lines);
  let headings: readonly string[] = [];
  let open: { first: number; last: number; hasText: boolean } | undefined;
  /** The first line that the next passage may repeat. */
  let repeatable = 0;

  const toPassage = (first: number, last: number, text: string): MarkdownPassage => ({
    startLine: first + 1,
    endLine: last + 1,
    headings,
    text,
  });

  function* end(): Generator<MarkdownPassage> {
    if (open === undefined) return;
    const { first, last } = open;
    open = undefined;
    yield toPassage(first, last, lines.slice(first, last + 1).join('\n'));
  }

  /** Where a passage begins that is to hold these lines: some whole lines before them where there is room. */
  const startFor = (first: number, last: number): number => {
    let start = first;
    while (
      start > repeatable &&
      tokensOf(start - 1, first - 1) <= overlap &&
      tokensOf(start - 1, last) <= most
    ) {
      start -= 1;
    }
    while (start < first && lines[start]?.trim() === '') start += 1;
    return start;
  };

  function* addLines(first: number, last: number, hasText: boolean): Generator<MarkdownPassage> {
    if (open !== undefined && tokensOf(open.first, last) > most) {
      // Never the whole of the passage before.
      repeatable = Math.max(repeatable, open.first + 1);
      yield* end();
      open = { first: startFor(first, last), last, hasText };
      return;
    }
    open = { first: open?.first ?? first, last, hasText: hasText || open?.hasText === true };
  }

  function* addFence(first: number, last: number): Generator<MarkdownPassage> {
    const isLong = tokensOf(first, last) > most;
    // A long one takes along the heading above it, which would be a passage without a text.
    if (isLong && open?.hasText === false) open = { first: open.first, last, hasText: true };
    else yield* addLines(first, last, true);
    repeatable = last + 1;
    if (isLong) yield* end();
  }

  function* addLine(at: number, hasText: boolean): Generator<MarkdownPassage> {
    if (tokensOf(at, at) <= most) {
      yield* addLines(at, at, hasText);
      return;
    }
    yield* end();
    for (const piece of splitLine(lines[at] ?? '', most)) yield toPassage(at, at, piece);
    repeatable = at + 1;
  }

  return {
    beginSection(above) {
      headings = above;
    },
    *add({ kind, first, last }) {
      const tokens = tokensOf(first, last);
      const hasText = kind !== 'heading';
      if (kind === 'fence' && tokens <= maxFenceTokens) yield* addFence(first, last);
      else if (tokens <= most) yield* addLines(first, last, hasText);
      else for (let at = first; at <= last; at += 1) yield* addLine(at, hasText);
    },
    endSection: end,
  };
}

/** The tokens of a run of lines, both included. Each line is measured once, when it is first asked for. */
function createMeasure(lines: readonly string[]): (first: number, last: number) => number {
  const newline = estimateTokens('\n');
  const before = [0];
  return (first, last) => {
    for (let at = before.length - 1; at <= last; at += 1)
      before.push((before[at] ?? 0) + estimateTokens(lines[at] ?? '') + newline);
    return (before[last + 1] ?? 0) - (before[first] ?? 0) - newline;
  };
}
