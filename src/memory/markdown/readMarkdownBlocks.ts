/** A run of lines that belong together. Lines are 0-based, the last one included. */
export type MarkdownBlock =
  HeadingBlock | { readonly kind: 'fence' | 'text'; readonly first: number; readonly last: number };

export interface HeadingBlock {
  readonly kind: 'heading';
  readonly first: number;
  readonly last: number;
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
}

/** The headings, code fences and paragraphs of a markdown text, in order. Blank lines between them belong to none. */
export function* readMarkdownBlocks(lines: readonly string[]): Generator<MarkdownBlock> {
  const fenceAt = createFenceReader(lines);
  let at = frontMatterLength(lines);
  if (at > 0) yield { kind: 'text', first: 0, last: at - 1 };
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

/** Number of lines of a YAML front matter; 0 where there is none. */
function frontMatterLength(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0;
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/u.test(line));
  return end + 1;
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
 * file. What was not found once is not looked for again, so that many of those cost no more than one.
 */
function createFenceReader(lines: readonly string[]): (at: number) => MarkdownBlock | undefined {
  const unclosed = new Map<string, number>();
  return (at) => {
    const mark = fenceMark(lines[at] ?? '');
    if (mark === undefined) return undefined;
    const kind = mark.charAt(0);
    if (mark.length >= (unclosed.get(kind) ?? Infinity)) return undefined;
    for (let last = at + 1; last < lines.length; last += 1) {
      const line = lines[last]?.trim() ?? '';
      if (line.startsWith(mark) && line === kind.repeat(line.length))
        return { kind: 'fence', first: at, last };
    }
    unclosed.set(kind, mark.length);
    return undefined;
  };
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
