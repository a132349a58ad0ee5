import { blockLength, readBlock } from '../../base/frontmatterBlock.ts';
import { estimateTokens, splitLine } from './tokens.ts';

/** A markdown text, cut into passages that can be found and linked to on their own. */
interface ReadMarkdown {
  readonly frontMatter: FrontMatter;
  /** In order, and made as they are asked for, so that a caller may let other work run in between. To be walked once. */
  readonly passages: Iterable<MarkdownPassage>;
}

/**
 * Cuts markdown at its headings, and between paragraphs or lines where a section has more than `chunking.tokens`. Every line
 * that is not blank is in a passage. Front matter is given as fields; it is part of the first passage only where it says more
 * than those. A heading that nothing stands under belongs to the deeper section after it. Any text is valid, and the time
 * grows with its length alone.
 */
export function readMarkdown(text: string, chunking: Chunking): ReadMarkdown {
  const lines = text.split(/\r\n|\n|\r/u);
  const { fields, length, saysMore } = readFrontMatter(lines);
  const above: HeadingBlock[] = saysMore
    ? [{ kind: 'heading', first: 0, last: length - 1, level: 0, title: '' }]
    : [];
  return { frontMatter: fields, passages: readPassages(lines, length, above, chunking) };
}

function* readPassages(
  lines: readonly string[],
  from: number,
  above: readonly HeadingBlock[],
  chunking: Chunking,
): Generator<MarkdownPassage> {
  const open: HeadingBlock[] = [];
  const cutter = createPassageCutter(lines, chunking);
  // Headings that nothing stands under so far, each deeper than the one before it.
  let bare = [...above];
  for (const block of readMarkdownBlocks(lines, from)) {
    if (block.kind !== 'heading') {
      for (const heading of bare) yield* cutter.add(heading);
      bare = [];
      yield* cutter.add(block);
      continue;
    }
    if (block.level <= (bare.at(-1)?.level ?? -1)) {
      for (const heading of bare) yield* cutter.add(heading);
      bare = [];
    }
    yield* cutter.endSection();
    while ((open.at(-1)?.level ?? 0) >= block.level) open.pop();
    open.push(block);
    bare.push(block);
    cutter.beginSection(open.map(({ title }) => title).filter((title) => title !== ''));
  }
  for (const heading of bare) yield* cutter.add(heading);
  yield* cutter.endSection();
}

/** A run of lines that belong together. Lines are 0-based, the last one included. */
type MarkdownBlock =
  HeadingBlock | { readonly kind: 'fence' | 'text'; readonly first: number; readonly last: number };

interface HeadingBlock {
  readonly kind: 'heading';
  readonly first: number;
  readonly last: number;
  /** 1 to 6; 0 for front matter that stands as a text. */
  readonly level: number;
  readonly title: string;
}

/**
 * The headings, code fences and paragraphs of a markdown text from a line on, in order. Blank lines between them belong to none.
 */
export function* readMarkdownBlocks(lines: readonly string[], from: number): Generator<MarkdownBlock> {
  const fenceAt = createFenceReader(lines);
  let at = from;
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at += 1;
      continue;
    }
    const block = headingAt(lines, at) ?? fenceAt(at) ?? paragraphAt(lines, at);
    yield block;
    at = block.last + 1;
  }
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

function headingAt(lines: readonly string[], at: number): HeadingBlock | undefined {
  const match = /^ {0,3}(#{1,6})(?![^ \t])(.*)$/u.exec(lines[at] ?? '');
  if (match === null) return undefined;
  return {
    kind: 'heading',
    first: at,
    last: at,
    level: match[1]?.length ?? 1,
    title: plainTitle(match[2] ?? ''),
  };
}

/**
 * Reads the fence that begins at a line. One that is never closed is none: a stray fence must not swallow the rest of the
 * file. Lines that can close one are looked for once, so that many that are never closed cost no more than one.
 */
function createFenceReader(lines: readonly string[]): (at: number) => MarkdownBlock | undefined {
  let ends: readonly FenceEnd[] | undefined;
  let next = 0;
  return (at) => {
    const mark = fenceMark(lines[at] ?? '');
    if (mark === undefined) return undefined;
    ends ??= readFenceEnds(lines, at);
    while ((ends[next]?.line ?? Infinity) <= at) next += 1;
    const longest = (mark.startsWith('~') ? ends[next]?.longestTilde : ends[next]?.longestBacktick) ?? 0;
    if (longest < mark.length) return undefined;
    // What is skipped here lies in the fence, and is not looked at again.
    while (ends[next]?.mark.startsWith(mark) === false) next += 1;
    return { kind: 'fence', first: at, last: ends[next]?.line ?? at };
  };
}

/** A line that closes a fence, if one of its kind is open that is no longer. */
interface FenceEnd {
  readonly line: number;
  readonly mark: string;
  /** Of these and all that follow. */
  readonly longestBacktick: number;
  readonly longestTilde: number;
}

function readFenceEnds(lines: readonly string[], from: number): readonly FenceEnd[] {
  const ends: FenceEnd[] = [];
  let longestBacktick = 0;
  let longestTilde = 0;
  for (let line = lines.length - 1; line >= from; line -= 1) {
    const mark = /^\s*(`{3,}|~{3,})\s*$/u.exec(lines[line] ?? '')?.[1];
    if (mark === undefined) continue;
    if (mark.startsWith('~')) longestTilde = Math.max(longestTilde, mark.length);
    else longestBacktick = Math.max(longestBacktick, mark.length);
    ends.push({ line, mark, longestBacktick, longestTilde });
  }
  return ends.reverse();
}

function fenceMark(line: string): string | undefined {
  return /^\s*(`{3,})[^`]*$/u.exec(line)?.[1] ?? /^\s*(~{3,})/u.exec(line)?.[1];
}

/** Lines up to a blank line, a heading or a fence; a heading itself where a line of `===` or `---` underlines it. */
function paragraphAt(lines: readonly string[], at: number): MarkdownBlock {
  let last = at;
  for (let next = at + 1; next < lines.length && !isBlank(lines[next]); next += 1) {
    const underline = /^ {0,3}(=+|-+)\s*$/u.exec(lines[next] ?? '')?.[1];
    if (underline !== undefined && isProse(lines[next - 1] ?? '')) {
      const title = plainTitle(lines.slice(at, next).join(' '));
      return { kind: 'heading', first: at, last: next, level: underline.startsWith('=') ? 1 : 2, title };
    }
    if (headingAt(lines, next) !== undefined || fenceMark(lines[next] ?? '') !== undefined) break;
    last = next;
  }
  return { kind: 'text', first: at, last };
}

/** A line that `---` can underline: no list item, quote or table row. */
function isProse(line: string): boolean {
  return !/^\s*(?:[-*+>|]|\d+[.)]\s)/u.test(line);
}

/** The words of a heading: closing marks, link targets, code marks and emphasis are left out. */
function plainTitle(text: string): string {
  return text
    .slice(0, 500)
    .replace(/(?<=^|[ \t])#+[ \t]*$/u, '')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/gu, '$1')
    .replace(/[`*]|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu, '')
    .trim();
}

/** How passages are cut, in tokens. */
interface Chunking {
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
interface PassageCutter {
  beginSection(headings: readonly string[]): void;
  /** Takes the next block; gives the passages that are complete by that. */
  add(block: MarkdownBlock): Generator<MarkdownPassage>;
  /** Gives the passage that is still open. */
  endSection(): Generator<MarkdownPassage>;
}

/** A fence above this is cut like any text: megabytes of pasted output are no passage that anybody could read. */
const maxFenceTokens = 25_000;

function createPassageCutter(lines: readonly string[], chunking: Chunking): PassageCutter {
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

/** What the YAML at the head of a note says of it. */
interface FrontMatter {
  readonly title?: string;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  /** ISO day. */
  readonly date?: string;
}

interface ReadFrontMatter {
  readonly fields: FrontMatter;
  /** Lines that it takes, the marks included; 0 where there is none. */
  readonly length: number;
  /** True where it holds more than the fields: other keys, or something that is no YAML. */
  readonly saysMore: boolean;
}

/** A larger block is text. */
const limits = { maxLines: 500, maxCharacters: 20_000, end: /^(?:---|\.\.\.)\s*$/u };
const maxValues = 100;
const none: FrontMatter = { tags: [], aliases: [] };
const known = new Set(['title', 'tags', 'tag', 'aliases', 'alias', 'date']);

/** Reads the front matter of a file's lines. Nothing that it holds is an error. */
export function readFrontMatter(lines: readonly string[]): ReadFrontMatter {
  const length = blockLength(lines, limits);
  if (length === 0) return { fields: none, length, saysMore: false };
  const source = lines.slice(1, length - 1).join('\n');
  if (source.trim() === '') return { fields: none, length, saysMore: false };
  const read = readBlock(source, { maxAliases: 0, uniqueKeys: false });
  if (!read.ok) return { fields: none, length, saysMore: true };
  return {
    fields: fieldsOf(read.fields),
    length,
    saysMore: Object.keys(read.fields).some((key) => !known.has(key.toLowerCase())),
  };
}

function fieldsOf(values: Readonly<Record<string, unknown>>): FrontMatter {
  const lower = new Map(Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]));
  const title = textOf(lower.get('title'));
  const date = /^\d{4}-\d{2}-\d{2}(?!\d)/u.exec(textOf(lower.get('date')) ?? '')?.[0];
  return {
    tags: listOf(lower.get('tags') ?? lower.get('tag'), /[\s,]+/u).map((tag) => tag.replace(/^#/u, '')),
    aliases: listOf(lower.get('aliases') ?? lower.get('alias'), /,/u),
    ...(title === undefined ? {} : { title }),
    ...(date === undefined || Number.isNaN(Date.parse(date)) ? {} : { date }),
  };
}

/** A value as one line; undefined for one that is none. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const text = String(value).replace(/\s+/gu, ' ').trim().slice(0, 500);
  return text === '' ? undefined : text;
}

/** The texts of a list, or of a line that names several. */
function listOf(value: unknown, separator: RegExp): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : (textOf(value)?.split(separator) ?? []);
  return values
    .slice(0, maxValues)
    .map(textOf)
    .filter((text) => text !== undefined);
}
