import { stem } from '../terms/stem.ts';
import { stopWords } from '../terms/stopWords.ts';
import { termsOfQueryToken, tokensOf } from '../terms/readTerms.ts';
import { fileKeyOfWord } from './fileKeys.ts';
import { isIdLike } from './isIdLike.ts';

/** What a query asks for, as terms; whether any of them occurs is not known yet. */
export interface ReadQuery {
  /** How often each is asked for, without words that tell nothing. */
  readonly telling: ReadonlyMap<string, number>;
  /** The words that tell nothing, for a query that has no others. */
  readonly idle: ReadonlyMap<string, number>;
  /** Terms that stand for files that the query names. */
  readonly files: readonly string[];
  /** Terms that stand for ids that the query names. */
  readonly ids: readonly string[];
}

const maxLength = 10_000;

/**
 * Reads any text as a query. Neighbours count as one word too, so that "set it up" finds `setup`.
 */
export function readQuery(query: string): ReadQuery {
  const text = query.slice(0, maxLength);
  const tokens = tokensOf(text);
  const isIdle = (token: string): boolean => stopWords.has(token.toLowerCase());
  const said = tokens.filter((token) => !isIdle(token));
  const telling = countTerms(said.flatMap((token) => termsOfQueryToken(token).terms));
  for (const [index, token] of said.slice(1).entries()) {
    const joined = joinWords(said[index] ?? '', token);
    if (joined !== undefined) telling.set(joined, (telling.get(joined) ?? 0) + 1);
  }
  const files = wordsOf(text)
    .map(fileKeyOfWord)
    .filter((key) => key !== undefined);
  return {
    telling,
    idle: countTerms(tokens.filter(isIdle).flatMap((token) => termsOfQueryToken(token).terms)),
    files: [...new Set(files)],
    ids: [...new Set(tokens.filter(isIdLike).map((token) => token.toLowerCase()))],
  };
}

function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function joinWords(first: string, second: string): string | undefined {
  const joined = `${first}${second}`;
  return joined.length <= 40 && /^[\p{L}\p{N}]+$/u.test(joined) ? stem(joined.toLowerCase()) : undefined;
}

/** The words of a query as they stand between spaces, without the marks around them. */
function wordsOf(text: string): readonly string[] {
  return text
    .split(/[\s"'`()[\]{}<>,;:!?|*]+/u)
    .map((word) => word.replace(/\.+$/u, ''))
    .filter((word) => word !== '' && word.length <= 500);
}
