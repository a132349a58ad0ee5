import type { TermScore } from '../memory.ts';
import { createPostings, type Postings, unpackTerms } from './createPostings.ts';
import { isFileKey, type PassageTerms, readQuery, type TermDictionary } from './lexicalTerms.ts';

export interface LexicalHit {
  /** The number that the passage was added with. */
  readonly passage: number;
  /** Above 0, without a limit. */
  readonly bm25: number;
  readonly exact?: 'file' | 'id';
}

/**
 * BM25 over an inverted index in memory. Terms are joined by OR, rare ones count more; any text is a valid query. Passages
 * that hold the very id or file name that the query names stand first.
 */
export interface LexicalIndex {
  /** Passages are known by small whole numbers that the caller gives; one that is there is replaced. */
  add(passage: number, terms: PassageTerms): void;
  /** One that is not there is no error. The terms are those that it was added with. */
  remove(passage: number, terms?: PassageTerms): void;
  /** Best first, equal ones by number. A smaller limit gives the head of the same list. */
  search(
    query: string,
    options: { readonly limit: number; readonly accepts?: (passage: number) => boolean },
  ): readonly LexicalHit[];
  /** What each word of the query brings to one passage, strongest first; quick for the query that was searched last. */
  explain(query: string, passage: number, terms: PassageTerms): readonly TermScore[];
  /** Whether a passage holds the term of this number. */
  uses(term: number): boolean;
  readonly passages: number;
  /** Bytes that the lists take, roughly. */
  readonly bytes: number;
}

/** BM25 with its usual values: how soon repeated terms stop counting, how much length holds back. */
const k1 = 1.2;
const b = 0.75;

/** A query as numbers of terms that occur. */
interface TermQuery {
  readonly terms: TermWeights;
  readonly files: readonly number[];
  readonly ids: readonly number[];
}

export function createLexicalIndex(dictionary: TermDictionary): LexicalIndex {
  const postings = createPostings();
  /** Each passage has a slot; slots only grow, which keeps the postings in order. */
  const slots = new Map<number, number>();
  let passageOf: number[] = [];
  let termsOf: PassageTerms[] = [];
  let lengths: number[] = [];
  let totalLength = 0;
  let packedBytes = 0;
  /** The query that was read last, until the index changes: it is explained after it was searched. */
  let last: { readonly query: string; readonly asked: TermQuery } | undefined;

  const rarity = (term: number): number => {
    const size = postings.size(term);
    return Math.log(1 + (slots.size - size + 0.5) / (size + 0.5));
  };
  const held = (length: number): number => k1 * (1 - b + (b * length * slots.size) / (totalLength || 1));
  const saturate = (count: number, length: number): number => count / (count + held(length));

  const occurring = (terms: ReadonlyMap<string, number>): Map<number, number> => {
    const asked = new Map<number, number>();
    for (const [term, weight] of terms) {
      const id = dictionary.find(term);
      if (id !== undefined && postings.size(id) > 0) asked.set(id, weight);
    }
    return asked;
  };

  const readAsked = (query: string): TermQuery => {
    const read = readQuery(query);
    const named = (terms: readonly string[]): number[] => [
      ...occurring(new Map(terms.map((term) => [term, 1]))).keys(),
    ];
    const [files, ids] = [named(read.files), named(read.ids)];
    const telling = occurring(read.telling);
    const terms = telling.size > 0 ? telling : occurring(read.idle);
    for (const file of files) terms.set(file, 1);
    return { terms: expand(terms), files, ids };
  };

  const expand = (terms: TermWeights): TermWeights => {
    if (terms.size < feedback.fewestAsked) return terms;
    const best = offerAll(createTopList(feedback.passages), scoreAll(terms));
    const found = best.flatMap(({ passage, bm25 }) => {
      const known = termsOf[slots.get(passage) ?? -1];
      return known === undefined ? [] : [{ terms: known, score: bm25 }];
    });
    const isWord = (term: number): boolean => !isFileKey(dictionary.term(term) ?? '');
    return expandQuery(terms, found, { rarity, saturate, isWord });
  };

  const scoreAll = (asked: TermWeights): Float64Array => {
    const scores = new Float64Array(passageOf.length);
    const least = held(0);
    const perWord = held(1) - least;
    for (const [term, weight] of asked) {
      const gain = weight * rarity(term) * (k1 + 1);
      for (const cell of postings.of(term)) {
        const slot = cell >>> 8;
        const count = cell & 255;
        scores[slot] =
          (scores[slot] ?? 0) + (gain * count) / (count + least + perWord * (lengths[slot] ?? 0));
      }
    }
    return scores;
  };

  const offerAll = (
    top: TopList,
    scores: Float64Array,
    exact: ReadonlyMap<number, 'file' | 'id'> = new Map(),
  ): readonly LexicalHit[] => {
    for (const [slot, kind] of exact)
      top.offer({ passage: passageOf[slot] ?? 0, bm25: scores[slot] ?? 0, exact: kind });
    let floor = top.floor;
    for (let slot = 0; slot < scores.length; slot += 1) {
      const bm25 = scores[slot] ?? 0;
      if (bm25 <= 0 || bm25 < floor || exact.has(slot)) continue;
      top.offer({ passage: passageOf[slot] ?? 0, bm25 });
      floor = top.floor;
    }
    return top.hits();
  };

  const askedOf = (query: string): TermQuery => {
    if (last?.query !== query) last = { query, asked: readAsked(query) };
    return last.asked;
  };

  const forget = (passage: number): void => {
    const slot = slots.get(passage);
    const terms = slot === undefined ? undefined : termsOf[slot];
    if (slot === undefined || terms === undefined) return;
    last = undefined;
    slots.delete(passage);
    totalLength -= terms.length;
    packedBytes -= terms.packed.length;
    termsOf[slot] = noTerms;
    unpackTerms(terms.packed, (term) => postings.remove(term, slot));
  };

  /** Slots of removed passages go once they are more than those in use: their number is limited. */
  const renumber = (): void => {
    if (passageOf.length < 1_024 || passageOf.length < slots.size * 2) return;
    const isLive = passageOf.map((passage, slot) => slots.get(passage) === slot);
    const numbers = new Uint32Array(passageOf.length);
    for (let slot = 1; slot < numbers.length; slot += 1)
      numbers[slot] = (numbers[slot - 1] ?? 0) + (isLive[slot - 1] === true ? 1 : 0);
    postings.renumber((slot) => numbers[slot] ?? 0);
    termsOf = termsOf.filter((_, slot) => isLive[slot]);
    lengths = lengths.filter((_, slot) => isLive[slot]);
    passageOf = passageOf.filter((_, slot) => isLive[slot]);
    for (const [slot, passage] of passageOf.entries()) slots.set(passage, slot);
  };

  return {
    add(passage, terms) {
      forget(passage);
      renumber();
      last = undefined;
      const slot = passageOf.push(passage) - 1;
      termsOf.push(terms);
      lengths.push(terms.length);
      slots.set(passage, slot);
      totalLength += terms.length;
      packedBytes += terms.packed.length;
      unpackTerms(terms.packed, (term, count) => {
        if (term < dictionary.size) postings.add(term, slot, count);
      });
    },
    remove: forget,
    search(query, { limit, accepts }) {
      const { terms, files, ids } = askedOf(query);
      const exact = new Map<number, 'file' | 'id'>([
        ...slotsOf(postings, ids).map((slot) => [slot, 'id'] as const),
        ...slotsOf(postings, files).map((slot) => [slot, 'file'] as const),
      ]);
      return offerAll(createTopList(limit, accepts), scoreAll(terms), exact);
    },
    explain(query, _passage, { packed, length }) {
      const asked = askedOf(query).terms;
      const found: { term: string; bm25: number }[] = [];
      unpackTerms(packed, (id, count) => {
        const weight = asked.get(id);
        const term = dictionary.term(id);
        if (weight === undefined || term === undefined) return;
        found.push({ term, bm25: weight * rarity(id) * (k1 + 1) * saturate(count, length) });
      });
      return found.sort((a, z) => z.bm25 - a.bm25);
    },
    uses: (term) => postings.size(term) > 0,
    get passages() {
      return slots.size;
    },
    get bytes() {
      return postings.bytes + packedBytes + passageOf.length * 200;
    },
  };
}

const noTerms: PassageTerms = { packed: new Uint8Array(), length: 0 };

function slotsOf(postings: Postings, terms: readonly number[]): number[] {
  return terms.flatMap((term) =>
    Array.from(
      postings.of(term).filter((cell) => (cell & 255) > 0),
      (cell) => cell >>> 8,
    ),
  );
}

/** Numbers of terms with how much each counts. */
type TermWeights = ReadonlyMap<number, number>;

/** What is known of the passages that a query found best. */
export interface RelevanceFeedback {
  readonly terms: PassageTerms;
  /** Of the passage for the query; above 0. */
  readonly score: number;
}

interface ExpandDeps {
  /** How much a term says: its inverse document frequency. */
  rarity(term: number): number;
  /** How much of the full gain a term has that occurs so often in a passage of that length; 0 to 1. */
  saturate(count: number, length: number): number;
  /** False for terms that no text has, such as file keys. */
  isWord(term: number): boolean;
}

/** How many of the best passages are asked, in how many a term has to occur, how many terms come in and what they count. */
const feedback = { passages: 5, atLeastIn: 2, terms: 10, mass: 0.3, fewestAsked: 10 };

/**
 * Adds terms that the best passages have in common (pseudo-relevance feedback), which together count 0.3 of what the query itself
 * counts. Only for a query of ten or more terms, which describes a subject; a shorter one names a thing, and what else stands
 * beside it leads away from it. Measured, nDCG@10: Cranfield 0.400 → 0.415, CISI 0.393 → 0.422, first sentences → file 0.850 →
 * 0.853, code by its description 0.418 → 0.416; for short queries as well, that one 0.397.
 */
export function expandQuery(
  asked: TermWeights,
  best: readonly RelevanceFeedback[],
  deps: ExpandDeps,
): TermWeights {
  if (asked.size < feedback.fewestAsked || best.length < feedback.atLeastIn) return asked;
  const found = new Map<number, { gain: number; passages: number }>();
  for (const { terms, score } of best) {
    unpackTerms(terms.packed, (term, count) => {
      if (!deps.isWord(term)) return;
      const known = found.get(term) ?? { gain: 0, passages: 0 };
      found.set(term, {
        gain: known.gain + score * deps.saturate(count, terms.length) * deps.rarity(term),
        passages: known.passages + 1,
      });
    });
  }
  const added = [...found]
    .filter(([, { passages }]) => passages >= feedback.atLeastIn)
    .sort(([termA, a], [termZ, z]) => z.gain - a.gain || termA - termZ)
    .slice(0, feedback.terms);
  const gained = added.reduce((sum, [, { gain }]) => sum + gain, 0);
  const whole = [...asked].reduce((sum, [term, weight]) => sum + weight * deps.rarity(term), 0);
  const expanded = new Map(asked);
  for (const [term, { gain }] of added) {
    const weight = (feedback.mass * whole * gain) / gained / deps.rarity(term);
    expanded.set(term, (expanded.get(term) ?? 0) + weight);
  }
  return expanded;
}

/** Keeps the best of many hits: a heap with the worst on top, so that most of them are refused at one look. */
interface TopList {
  offer(hit: LexicalHit): void;
  /** A hit that scores less than this, and that the query does not name, is refused. */
  readonly floor: number;
  /** Best first. */
  hits(): readonly LexicalHit[];
}

/** @param accepts Asked only where a hit is good enough. */
function createTopList(limit: number, accepts: (passage: number) => boolean = () => true): TopList {
  const heap: LexicalHit[] = [];

  const isWorse = (a: number, z: number): boolean => {
    const hit = heap[a];
    const other = heap[z];
    return hit !== undefined && other !== undefined && compareHits(hit, other) > 0;
  };
  const swap = (a: number, z: number): void => {
    const hit = heap[a];
    const other = heap[z];
    if (hit === undefined || other === undefined) return;
    heap[a] = other;
    heap[z] = hit;
  };
  const rise = (): void => {
    for (let at = heap.length - 1; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!isWorse(at, parent)) return;
      swap(at, parent);
      at = parent;
    }
  };
  const sink = (): void => {
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const child = isWorse(left + 1, left) ? left + 1 : left;
      if (!isWorse(child, at)) return;
      swap(at, child);
      at = child;
    }
  };

  return {
    offer(hit) {
      const worst = heap[0];
      const isFull = heap.length >= limit;
      if (isFull && (worst === undefined || compareHits(hit, worst) >= 0)) return;
      if (!accepts(hit.passage)) return;
      if (isFull) {
        heap[0] = hit;
        sink();
      } else {
        heap.push(hit);
        rise();
      }
    },
    get floor() {
      const worst = heap[0];
      if (heap.length < limit || worst === undefined) return limit > 0 ? 0 : Infinity;
      return worst.exact === undefined ? worst.bm25 : Infinity;
    },
    hits: () => heap.toSorted(compareHits),
  };
}

const ranks = { file: 2, id: 1 };

/** Below 0 where `a` stands before `z`: what the query names, then what scores more, then the lower number. */
function compareHits(a: LexicalHit, z: LexicalHit): number {
  const rank = (hit: LexicalHit): number => (hit.exact === undefined ? 0 : ranks[hit.exact]);
  return rank(z) - rank(a) || z.bm25 - a.bm25 || a.passage - z.passage;
}
