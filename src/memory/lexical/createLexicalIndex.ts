import { createPostings, type Postings } from './createPostings.ts';
import { createTopList, type TopList } from './createTopList.ts';
import { expandQuery, feedback, type TermWeights } from './expandQuery.ts';
import { isFileKey } from './fileKeys.ts';
import type { LexicalHit, LexicalIndex, PassageTerms, TermDictionary } from './lexicalIndex.ts';
import { unpackTerms } from './packTerms.ts';
import { readQuery } from './readQuery.ts';

/** BM25 with its usual values: how soon repeated terms stop counting, how much length holds back. */
const k1 = 1.2;
const b = 0.75;

/** A query as numbers of terms that occur. */
interface Asked {
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
  let last: { readonly query: string; readonly asked: Asked } | undefined;

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

  const readAsked = (query: string): Asked => {
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

  const askedOf = (query: string): Asked => {
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
