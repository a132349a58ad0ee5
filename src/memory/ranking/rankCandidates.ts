import type { MemoryQueryConfig } from '../../config/sections/memorySection.ts';
import type { ScoreParts } from '../memory.ts';

/** A passage that one of the legs proposes. */
export interface Candidate {
  readonly passage: number;
  /** Absent where the words did not find it. */
  readonly bm25?: number;
  readonly exact?: 'file' | 'id';
  /** Absent where it has no vector. -1 to 1. */
  readonly cosine?: number;
  /** ISO day of a dated note; undefined for evergreen ones, which keep their score. */
  readonly date: string | undefined;
  /** For the similarity of near copies; read only for those near the top, so it may be a getter that does some work. */
  readonly text: string;
}

export interface RankInput {
  /** The union of both legs; the same whatever the number of results, so that a short answer is the head of a long one. */
  readonly candidates: readonly Candidate[];
  readonly query: MemoryQueryConfig;
  /** False: the vector leg is off, and its weight goes to the text. */
  readonly hasVectors: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly limit: number;
  readonly minScore: number;
}

export interface Ranked {
  readonly passage: number;
  readonly score: number;
  /** Without the single terms, which only the lexical index knows. */
  readonly why: Omit<ScoreParts, 'text'> & { readonly text?: Omit<NonNullable<ScoreParts['text']>, 'terms'> };
}

/**
 * Passages that share three of five words are near copies; fewer is what two good answers share. Setting back every likeness
 * costs nDCG@10 (Cranfield 0.414 → 0.406, CISI 0.421 → 0.416); setting back near copies alone costs none (0.415, 0.421).
 */
const nearCopy = 0.6;

/**
 * Puts the candidates in order: those that the query names first, then weights → decay → sort → vectors gated → near copies down
 * (OpenClaw core flow). Equal ones by passage. The answer for a limit is the head of the answer for a larger one.
 *
 * `minScore` holds for hybrid scores, spares what the query names and what the gate keeps, and is let go where nothing would be
 * left.
 */
export function rankCandidates(input: RankInput): readonly Ranked[] {
  const { candidates, query, hasVectors, limit } = input;
  const weights = legWeights(query, hasVectors);
  const scored = candidates.map((candidate) => scoreOf(candidate, weights, input)).sort(byScore);
  const named = scored.filter(({ candidate }) => candidate.exact !== undefined);
  const others = scored.filter(({ candidate }) => candidate.exact === undefined);
  const worth = hasVectors ? gateVectors(aboveMinScore(others, input.minScore, named.length > 0)) : others;

  const lambda = query.mmr.enabled ? query.mmr.lambda : 1;
  const first = selectByMmr(named, { lambda, limit, leastSimilarity: nearCopy });
  const then = selectByMmr(raised(worth), {
    lambda,
    limit: limit - first.length,
    leastSimilarity: nearCopy,
    before: first.map(({ item }) => item),
  });
  return [...first, ...then].map(({ item, penalty }) => toRanked(item, penalty, weights));
}

interface Scored {
  readonly candidate: Candidate;
  readonly passage: number;
  readonly tokens: () => ReadonlySet<string>;
  readonly textStrength: number;
  readonly decay: number;
  readonly ageInDays: number | undefined;
  readonly score: number;
  /** What the order goes by. */
  readonly relevance: number;
}

function scoreOf(candidate: Candidate, weights: LegWeights, { query, now }: RankInput): Scored {
  const { passage, bm25 = 0 } = candidate;
  const ageInDays = candidate.date === undefined ? undefined : ageInDaysOf(candidate.date, now);
  const decay = temporalDecay(ageInDays, query.temporalDecay);
  const score = mergeHybrid(candidate, weights, decay);
  const textStrength = bm25 > 0 ? decay * bm25 : 0;
  let known: ReadonlySet<string> | undefined;
  const tokens = (): ReadonlySet<string> => (known ??= tokenSet(candidate.text));
  return { candidate, passage, tokens, textStrength, decay, ageInDays, score, relevance: score };
}

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || a.passage - b.passage;
}

function aboveMinScore(items: readonly Scored[], minScore: number, hasOthers: boolean): readonly Scored[] {
  const kept = new Set(guardedHitsOf(items));
  const strict = items.filter((item) => item.score >= minScore || kept.has(item));
  return strict.length === 0 && !hasOthers ? items : strict;
}

/** One that the gate set before better ones counts as relevant as the best of those. */
function raised(order: readonly Scored[]): readonly Scored[] {
  let best = 0;
  return order
    .toReversed()
    .map((item) => ({ ...item, relevance: (best = Math.max(best, item.score)) }))
    .reverse();
}

function toRanked(item: Scored, penalty: number, weights: LegWeights): Ranked {
  const { candidate, score, decay, ageInDays } = item;
  const { passage, bm25, cosine, exact } = candidate;
  const hasVector = cosine !== undefined && weights.vector > 0;
  return {
    passage,
    score,
    why: {
      ...(bm25 === undefined ? {} : { text: { score: bm25ToScore(bm25), bm25 } }),
      ...(hasVector ? { vector: { score: cosineToScore(cosine), cosine } } : {}),
      weighted: mergeHybrid(candidate, weights),
      decay,
      ...(ageInDays === undefined ? {} : { ageInDays }),
      similarity: penalty,
      ...(exact === undefined ? {} : { exact }),
    },
  };
}

const msPerDay = 86_400_000;

/** What a half-life leaves of a score: 1 at age 0, 0.5 after one half-life (OpenClaw core flow). A future date counts as today. */
export function calculateTemporalDecayMultiplier(age: {
  readonly ageInDays: number;
  readonly halfLifeDays: number;
}): number {
  const lambda = Math.LN2 / age.halfLifeDays;
  return Math.exp(-lambda * Math.max(0, age.ageInDays));
}

/** Days since the beginning of an ISO day in UTC, at least 0; undefined where it names no day of the calendar. */
export function ageInDaysOf(date: string, now: number): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(date)) return undefined;
  const start = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== date) return undefined;
  return Math.max(0, (now - start) / msPerDay);
}

/**
 * The multiplier for a passage: upstream's formula, but never below the config's floor, since an old note is still the answer where
 * there is no newer one. Without an age (evergreen) it is 1.
 */
export function temporalDecay(
  ageInDays: number | undefined,
  config: { readonly enabled: boolean; readonly halfLifeDays: number; readonly floor: number },
): number {
  if (!config.enabled || ageInDays === undefined) return 1;
  return Math.max(
    config.floor,
    calculateTemporalDecayMultiplier({ ageInDays, halfLifeDays: config.halfLifeDays }),
  );
}

/** Adds up to 1. */
interface LegWeights {
  readonly text: number;
  readonly vector: number;
}

/** The config's weights with a sum of 1; without vectors all of it is the text's. Both 0 says nothing, so both count alike. */
export function legWeights(
  config: { readonly textWeight: number; readonly vectorWeight: number },
  hasVectors: boolean,
): LegWeights {
  if (!hasVectors) return { text: 1, vector: 0 };
  const sum = config.textWeight + config.vectorWeight;
  if (sum === 0) return { text: 0.5, vector: 0.5 };
  return { text: config.textWeight / sum, vector: config.vectorWeight / sum };
}

/** A cosine as a score: upstream's `1 - distance` is the cosine itself; what points away is no hit. */
export function cosineToScore(cosine: number): number {
  return Number.isNaN(cosine) ? 0 : Math.min(1, Math.max(0, cosine));
}

/**
 * `vw × vector + tw × text` (OpenClaw core flow). A leg that does not know the passage adds nothing.
 *
 * `decay` multiplies what each leg measured: the cosine's score and the BM25 score. For the vector leg that is upstream's
 * product. The text leg is squeezed to 0–1 after it, because `s / (1 + s)` is near 1 for every good hit: a product with it
 * would set any undated passage with one common word above a month-old note with all of the words.
 */
export function mergeHybrid(
  { bm25 = 0, cosine = 0 }: Pick<Candidate, 'bm25' | 'cosine'>,
  weights: LegWeights,
  decay = 1,
): number {
  return weights.vector * decay * cosineToScore(cosine) + weights.text * bm25ToScore(decay * bm25);
}

/**
 * A BM25 score as a number from 0 to 1 in the same order: `s / (1 + s)` (the formula of OpenClaw core flow gives 1.0 to every hit).
 * What is no positive number counts as no hit, and a boundless one as a full hit.
 */
export function bm25ToScore(bm25: number): number {
  if (!(bm25 > 0)) return 0;
  return bm25 === Infinity ? 1 : bm25 / (1 + bm25);
}

/** Text hits that keep a place, and how strong they must be beside the strongest. */
const guardedHits = 5;
const guardedShare = 0.5;

interface GatedItem {
  readonly passage: number;
  /** BM25 after the age was looked at; 0 where the words did not find it. */
  readonly textStrength: number;
}

/**
 * Vectors may raise passages, but not lose what the words found: the text leg's r-th hit stands at place 2r at the latest, for
 * the first five whose BM25 is at least half of the best one's. So at the worst every second result is the text's, whatever the
 * vectors say: meaning may come first, and the best words are never further down than second. Nothing here can measure the user's
 * model, so it holds for all of them. nDCG@10 without and with the gate, Cranfield and CISI: weak vectors (LSI of 150 dimensions)
 * 0.431 → 0.441 and 0.403 → 0.414, random ones 0.06 → 0.27 and 0.13 → 0.28.
 *
 * @param order best first by the merged score. Gives the same items; the head does not depend on how many are wanted.
 */
export function gateVectors<T extends GatedItem>(order: readonly T[]): readonly T[] {
  const guarded = guardedHitsOf(order);
  const placed = new Set<T>();
  const rest = order[Symbol.iterator]();
  const nextOfRest = (): T | undefined => {
    for (let next = rest.next(); next.done !== true; next = rest.next())
      if (!placed.has(next.value)) return next.value;
    return undefined;
  };
  for (let place = 1; place <= order.length; place += 1) {
    const due = place % 2 === 0 ? guarded[place / 2 - 1] : undefined;
    const item = due === undefined || placed.has(due) ? nextOfRest() : due;
    if (item !== undefined) placed.add(item);
  }
  return [...placed];
}

/** The text hits that keep a place, strongest first. */
export function guardedHitsOf<T extends GatedItem>(items: readonly T[]): readonly T[] {
  const byText = items
    .filter(({ textStrength }) => textStrength > 0)
    .sort((a, b) => b.textStrength - a.textStrength || a.passage - b.passage)
    .slice(0, guardedHits);
  const least = (byText[0]?.textStrength ?? 0) * guardedShare;
  return byText.filter(({ textStrength }) => textStrength >= least);
}

export interface MmrItem {
  readonly relevance: number;
  /** Asked for only where it stands near enough to the top to matter. */
  readonly tokens: () => ReadonlySet<string>;
}

/** An item in its place; `penalty` is what the likeness to one before it took away, 0 to 1 − λ. */
interface MmrChoice<T> {
  readonly item: T;
  readonly penalty: number;
}

interface MmrOptions {
  /** 1 looks at relevance alone and keeps the order; 0 at difference alone. */
  readonly lambda: number;
  /** Choices are the same for every limit, there are only more of them. */
  readonly limit: number;
  /** Likenesses below count as none; default 0 (OpenClaw core flow). */
  readonly leastSimilarity?: number;
  /** What stands before all of these already. */
  readonly before?: readonly Pick<MmrItem, 'tokens'>[];
}

/**
 * Maximal marginal relevance (Carbonell & Goldstein 1998, OpenClaw core flow): takes again and again the item with the most of
 * `λ × relevance − (1 − λ) × likeness to the most similar one before`. Relevance is stretched to 0–1 over the items, likeness is
 * Jaccard on their words. Equal ones keep the order they came in.
 */
export function selectByMmr<T extends MmrItem>(
  items: readonly T[],
  { lambda, limit, leastSimilarity = 0, before = [] }: MmrOptions,
): readonly MmrChoice<T>[] {
  const chosenTokens = lambda === 1 ? [] : before.map(({ tokens }) => tokens());
  const waiting = waitingOf(items, lambda);
  const choices: MmrChoice<T>[] = [];

  /** Compares with what was chosen since the last time; a value can only sink, so an old one is an upper bound. */
  const bringUpToDate = (entry: Waiting<T>): void => {
    if (lambda === 1) return;
    if (entry.compared === chosenTokens.length) return;
    const tokens = entry.item.tokens();
    for (; entry.compared < chosenTokens.length && entry.likeness < 1; entry.compared += 1) {
      const likeness = jaccard(tokens, chosenTokens[entry.compared] ?? new Set());
      if (likeness >= leastSimilarity) entry.likeness = Math.max(entry.likeness, likeness);
    }
  };

  while (choices.length < limit && waiting.length > 0) {
    let best: Waiting<T> | undefined;
    let bestValue = -Infinity;
    for (const entry of waiting) {
      // They stand by relevance: from here on nothing can be better.
      if (entry.relevance <= bestValue) break;
      if (valueOf(entry, lambda) <= bestValue) continue;
      bringUpToDate(entry);
      const value = valueOf(entry, lambda);
      if (value > bestValue) [best, bestValue] = [entry, value];
    }
    if (best === undefined) break;
    waiting.splice(waiting.indexOf(best), 1);
    choices.push({ item: best.item, penalty: (1 - lambda) * best.likeness });
    if (lambda !== 1) chosenTokens.push(best.item.tokens());
  }
  return choices;
}

interface Waiting<T> {
  readonly item: T;
  /** `λ × relevance`, stretched. */
  readonly relevance: number;
  /** To the most similar one of those it was compared with. */
  likeness: number;
  compared: number;
}

function valueOf({ relevance, likeness }: Waiting<MmrItem>, lambda: number): number {
  return relevance - (1 - lambda) * likeness;
}

/** Most relevant first, equal ones in their order. All alike: all fully relevant. */
function waitingOf<T extends MmrItem>(items: readonly T[], lambda: number): Waiting<T>[] {
  let [least, most] = [Infinity, -Infinity];
  for (const { relevance } of items) [least, most] = [Math.min(least, relevance), Math.max(most, relevance)];
  const stretch = (relevance: number): number => (most === least ? 1 : (relevance - least) / (most - least));
  return items
    .map((item) => ({ item, relevance: lambda * stretch(item.relevance), likeness: 0, compared: 0 }))
    .sort((a, b) => b.relevance - a.relevance);
}

/** What two sets share of all they hold: 0 for nothing, 1 for all of it. Two empty sets are equal, so 1. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (large.size === 0) return 1;
  let shared = 0;
  for (const token of small) if (large.has(token)) shared += 1;
  return shared / (small.size + large.size - shared);
}

const words = /[\p{L}\p{N}_]+/gu;
/** Scripts that write without spaces, so that a "word" would be a whole sentence. */
const cjkRuns = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆]+/gu;
const latinOnly = /^[^\u1100-\u{10FFFF}]*$/u;

/**
 * The different words of a text in lower case, for comparing passages (OpenClaw core flow). A run of Chinese, Japanese or Korean gives its
 * characters and their pairs, as upstream does.
 */
export function tokenSet(text: string): ReadonlySet<string> {
  const found = text.toLowerCase().match(words) ?? [];
  return new Set(latinOnly.test(text) ? found : found.flatMap(tokensOfWord));
}

function tokensOfWord(word: string): readonly string[] {
  const others = word.split(cjkRuns).filter((part) => part !== '');
  return [...others, ...[...word.matchAll(cjkRuns)].flatMap(([run]) => charactersAndPairs(run))];
}

function charactersAndPairs(run: string): readonly string[] {
  const characters = Array.from(run);
  return [...characters, ...characters.slice(1).map((next, at) => `${characters[at] ?? ''}${next}`)];
}
