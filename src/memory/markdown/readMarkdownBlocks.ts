/** A run of lines that belong together. Lines are 0-based, the last one included. */
export type MarkdownBlock =
  HeadingBlock | { readonly kind: 'fence' | 'text'; readonly first: number; readonly last: number };

export interface HeadingBlock {
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
