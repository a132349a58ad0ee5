import { replaceSpans, type Redacted, type Span } from '../../base/secrets/replaceSpans.ts';

const shortest = 32;

/**
 * Takes out every word of 32 or more letters, digits, `_` and `-`, as the bare pattern of Dexto plugin specification does
 * (`\b[A-Za-z0-9_-]{32,}\b`), in linear time. Hits hashes, ids and long names, too. Pure.
 */
export function redactBareTokens(text: string, mark: string): Redacted {
  const spans: Span[] = [];
  for (const { 0: run, index } of text.matchAll(/[\w-]{32,}/gu)) {
    // A word begins and ends with a word character: hyphens around it stay.
    const start = index + run.search(/[^-]|$/u);
    const end = index + endOfWord(run);
    if (end - start >= shortest) spans.push({ start, end });
  }
  return replaceSpans(text, spans, mark);
}

function endOfWord(run: string): number {
  let end = run.length;
  while (end > 0 && run.charAt(end - 1) === '-') end -= 1;
  return end;
}
