/** A text and how much was taken out of it. */
export interface Redacted {
  readonly text: string;
  readonly count: number;
}

/** A part of a text, `end` not included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text with `mark` in place of each span. Spans are in order and don't overlap. Pure. */
export function replaceSpans(text: string, spans: readonly Span[], mark: string): Redacted {
  if (spans.length === 0) return { text, count: 0 };
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(from, start), mark);
    from = end;
  }
  parts.push(text.slice(from));
  return { text: parts.join(''), count: spans.length };
}
