import { stem, termsOfQueryToken, tokensOf, type TokenTerms } from '../terms/readTerms.ts';
import { stopWords } from '../terms/stopWords.ts';
import { fileKeyOfWord } from './fileKeys.ts';
import { isIdLike } from './isIdLike.ts';

/** What a query asks for, as terms; whether any of them occurs is not known yet. */
export interface ReadQuery {
  /** How much each counts, without words that tell nothing: as often as it is asked for. */
  readonly telling: ReadonlyMap<string, number>;
  /** The words that tell nothing, for a query that has no others. */
  readonly idle: ReadonlyMap<string, number>;
  /** Terms that stand for files that the query names. */
  readonly files: readonly string[];
  /** Terms that stand for ids that the query names. */
  readonly ids: readonly string[];
}

const maxLength = 10_000;
const maxJoined = 40;

/**
 * What a term counts that says the same again: the whole of a compound beside its parts, and neighbours as one word (`file name`:
 * filename). In full they drown the rest, since they are rare. A verb with its particle is one word: "set it up" asks for `setup`.
 */
const weights = { part: 1, form: 0.5, joined: 0.3, withParticle: 1 };
const particles = new Set('up out in on off down back over away'.split(' '));

/** Reads any text as a query. */
export function readQuery(query: string): ReadQuery {
  const text = query.slice(0, maxLength);
  const tokens = tokensOf(text);
  const telling = createCounts();
  for (const token of tokens) if (!isIdle(token)) countToken(telling, token);
  const joinable = tokens.filter((token) => !isIdle(token) || isParticle(token));
  for (const [index, token] of joinable.slice(1).entries()) {
    const joined = joinWords(joinable[index] ?? '', token);
    if (joined !== undefined)
      telling.count(joined, isParticle(token) ? weights.withParticle : weights.joined);
  }
  const idle = createCounts();
  for (const token of tokens)
    for (const part of termsOfQueryToken(token).parts) idle.count(part, weights.part);
  return {
    telling: telling.all,
    idle: idle.all,
    files: unique(wordsOf(text).map(fileKeyOfWord)),
    ids: unique(tokens.filter(isIdLike).map(termOfId)),
  };
}

/** The one term that stands for the whole of it. */
function termOfId(token: string): string {
  const whole = token.toLowerCase();
  return /^\w+$/.test(whole) ? whole.replace(/^_+|_+$/g, '') : whole;
}

function isIdle(token: string): boolean {
  return stopWords.has(token.toLowerCase());
}

function isParticle(token: string): boolean {
  return particles.has(token.toLowerCase());
}

function countToken(counts: Counts, token: string): void {
  const { parts, forms }: TokenTerms = termsOfQueryToken(token);
  // "end-of-file" asks for the end and the file.
  const idle = new Set(
    token
      .split(/[-./]/)
      .filter(isIdle)
      .flatMap((word) => termsOfQueryToken(word).parts),
  );
  for (const part of parts) if (!idle.has(part)) counts.count(part, weights.part);
  for (const form of forms) counts.count(form, weights.form);
}

interface Counts {
  readonly all: ReadonlyMap<string, number>;
  count(term: string, weight: number): void;
}

function createCounts(): Counts {
  const all = new Map<string, number>();
  return { all, count: (term, weight) => void all.set(term, (all.get(term) ?? 0) + weight) };
}

function joinWords(first: string, second: string): string | undefined {
  const joined = `${first}${second}`;
  return joined.length <= maxJoined && /^[\p{L}\p{N}]+$/u.test(joined)
    ? stem(joined.toLowerCase())
    : undefined;
}

/** The words of a query as they stand between spaces, without the marks around them. */
function wordsOf(text: string): readonly string[] {
  return text
    .split(/[\s"'`()[\]{}<>,;:!?|*]+/u)
    .map((word) => word.replace(/\.+$/u, ''))
    .filter((word) => word !== '' && word.length <= 500);
}

function unique(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}
