import { termsOfToken, tokensOf } from '../terms/readTerms.ts';

/**
 * The part of a passage that shows best why it was found: the whole lines, at most `maxChars` characters (upstream: 700), with
 * the most different words of the query, then the most of them, then the earliest. A longer line is cut between words. A passage
 * that fits is given whole.
 */
export function snippetOf(text: string, query: string, maxChars = 700): string {
  if (text.length <= maxChars) return text;
  const asked = new Set(termsOf(query));
  const pieces = piecesOf(text, maxChars).map((piece) => ({
    ...piece,
    found: termsOf(text.slice(piece.start, piece.end)).filter((term) => asked.has(term)),
  }));

  const counts = new Map<string, number>();
  const take = (terms: readonly string[], by: 1 | -1): void => {
    for (const term of terms) {
      const count = (counts.get(term) ?? 0) + by;
      if (count === 0) counts.delete(term);
      else counts.set(term, count);
    }
  };
  let best = { different: -1, all: -1, start: 0, end: 0 };
  let first = 0;
  let all = 0;
  for (const piece of pieces) {
    take(piece.found, 1);
    all += piece.found.length;
    for (
      let out = pieces[first];
      out !== undefined && piece.end - out.start > maxChars;
      out = pieces[first]
    ) {
      take(out.found, -1);
      all -= out.found.length;
      first += 1;
    }
    const isBetter = counts.size > best.different || (counts.size === best.different && all > best.all);
    const start = pieces[first]?.start ?? piece.start;
    if (isBetter || start === best.start) best = { different: counts.size, all, start, end: piece.end };
  }
  return text.slice(best.start, best.end).trimEnd();
}

function termsOf(text: string): readonly string[] {
  return tokensOf(text).flatMap((token) => {
    const { parts, forms } = termsOfToken(token);
    return [...parts, ...forms];
  });
}

interface Piece {
  readonly start: number;
  readonly end: number;
}

/** Lines with their line feeds; those that are too long in parts, so that each fits several times. */
function piecesOf(text: string, maxChars: number): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start);
    const lineEnd = feed === -1 ? text.length : feed + 1;
    const end =
      lineEnd - start <= maxChars ? lineEnd : cutAt(text, start, Math.max(1, Math.floor(maxChars / 4)));
    pieces.push({ start, end });
    start = end;
  }
  return pieces;
}

/** After the last space of the next `length` characters; without one, anywhere but inside a character. */
function cutAt(text: string, start: number, length: number): number {
  const space = text.lastIndexOf(' ', start + length - 1);
  if (space > start) return space + 1;
  const end = start + length;
  const isInside = (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return isInside ? end + 1 : end;
}
