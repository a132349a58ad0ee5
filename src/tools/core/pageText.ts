import { truncate } from '../../base/text.ts';

export interface TextPage {
  readonly text: string;
  /** 1-based, both included; `last` is below `first` where the page is empty. */
  readonly first: number;
  readonly last: number;
  readonly total: number;
  /** True where the only line of the page is longer than the page. */
  readonly isLineCut: boolean;
}

interface PageLimits {
  readonly lines: number;
  readonly chars: number;
}

/** As many whole lines from line `first` (1-based) on as the limits take; at least one, cut if it must be. Pure. */
export function pageText(text: string, first: number, limits: PageLimits): TextPage {
  const lines = splitLines(text);
  const page: string[] = [];
  let chars = 0;
  for (const line of lines.slice(first - 1, first - 1 + limits.lines)) {
    chars += line.length + 1;
    if (page.length > 0 && chars > limits.chars) break;
    page.push(line);
  }
  const joined = page.join('\n');
  return {
    text: truncate(joined, limits.chars),
    first,
    last: first + page.length - 1,
    total: lines.length,
    isLineCut: joined.length > limits.chars,
  };
}

/** Lines without their ends; a last line end begins no further line. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/u);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
