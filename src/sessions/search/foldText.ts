const marks = /\p{M}+/gu;
const beyondAscii = /[^\0-\x7f]/u;

/** The text as a search compares it: without case, accents and other marks. Pure. */
export function foldText(text: string): string {
  if (!beyondAscii.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replace(marks, '').toLowerCase();
}

/** The place in `text` of a place in its folded form. Pure. */
export function unfoldIndex(text: string, folded: number): number {
  if (!beyondAscii.test(text)) return folded;
  let seen = 0;
  let at = 0;
  for (const letter of text) {
    if (seen >= folded) break;
    seen += foldText(letter).length;
    at += letter.length;
  }
  return at;
}

/** The different words of a query, folded. Pure. */
export function wordsOf(query: string): readonly string[] {
  return [
    ...new Set(
      foldText(query)
        .split(/\s+/u)
        .filter((word) => word !== ''),
    ),
  ];
}
