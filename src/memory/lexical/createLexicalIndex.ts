import { createPostings } from './createPostings.ts';
import { createTopList } from './createTopList.ts';
import type { LexicalIndex, TermDictionary } from './lexicalIndex.ts';
import { unpackTerms } from './packTerms.ts';
import { readQuery } from './readQuery.ts';

/** BM25: how soon repeated terms stop counting (late, since headings count three times), how much length holds back. */
const k1 = 2;
const b = 0.75;

/** Terms of a query that occur, by number, with their weight. */
type Asked = ReadonlyMap<number, number>;

export function createLexicalIndex(dictionary: TermDictionary): LexicalIndex {
  const postings = createPostings();
  const slots = new Map<number, number>();
  let passageOf: number[] = [];
  let lengths: number[] = [];
  let totalLength = 0;

  const occurring = (terms: ReadonlyMap<string, number>): Map<number, number> => {
    const asked = new Map<number, number>();
    for (const [term, weight] of terms) {
      const id = dictionary.find(term);
      if (id !== undefined && postings.size(id) > 0) asked.set(id, weight);
    }
    return asked;
  };

  const rarity = (term: number): number => {
    const size = postings.size(term);
    return Math.log(1 + (slots.size - size + 0.5) / (size + 0.5));
  };
  const holdBack = (length: number): number => k1 * (1 - b + (b * length) / (totalLength / slots.size || 1));
  const saturate = (count: number, length: number): number => (count * (k1 + 1)) / (count + holdBack(length));

  const readAsked = (query: string): { asked: Asked; files: readonly number[]; ids: readonly number[] } => {
    const read = readQuery(query);
    const named = (terms: readonly string[]): number[] => [
      ...occurring(new Map(terms.map((term) => [term, 1]))).keys(),
    ];
    const files = named(read.files);
    const telling = occurring(read.telling);
    for (const file of files) telling.set(file, 1);
    return { asked: telling.size > 0 ? telling : occurring(read.idle), files, ids: named(read.ids) };
  };

  const scoreAll = (asked: Asked): Float64Array => {
    const scores = new Float64Array(passageOf.length);
    const factor = (k1 * b) / (totalLength / slots.size || 1);
    for (const [term, weight] of asked) {
      const gain = weight * rarity(term) * (k1 + 1);
      for (const cell of postings.of(term)) {
        const count = cell & 255;
        if (count === 0) continue;
        const slot = cell >>> 8;
        const held = k1 * (1 - b) + factor * (lengths[slot] ?? 0);
        scores[slot] = (scores[slot] ?? 0) + (gain * count) / (count + held);
      }
    }
    return scores;
  };

  const forget = (passage: number, each: (take: (term: number) => void) => void): void => {
    const slot = slots.get(passage);
    if (slot === undefined) return;
    slots.delete(passage);
    totalLength -= lengths[slot] ?? 0;
    each((term) => postings.remove(term, slot));
  };

  /** Slots of removed passages go once they are more than those in use; their number is limited. */
  const renumber = (): void => {
    if (passageOf.length < 1_024 || passageOf.length < slots.size * 2) return;
    const numbers = new Uint32Array(passageOf.length);
    const live = passageOf.map((passage, slot) => slots.get(passage) === slot);
    let next = 0;
    for (const [slot, isLive] of live.entries()) {
      numbers[slot] = next;
      if (isLive) next += 1;
    }
    postings.renumber((slot) => numbers[slot] ?? 0);
    lengths = lengths.filter((_, slot) => live[slot]);
    passageOf = passageOf.filter((_, slot) => live[slot]);
    for (const [slot, passage] of passageOf.entries()) slots.set(passage, slot);
  };

  return {
    add(passage, terms) {
      // What is replaced may have had any terms.
      if (slots.has(passage)) {
        forget(passage, (take) => {
          for (let term = 0; term < postings.terms; term += 1) take(term);
        });
      }
      renumber();
      const slot = passageOf.push(passage) - 1;
      lengths.push(terms.length);
      slots.set(passage, slot);
      totalLength += terms.length;
      unpackTerms(terms.packed, (term, count) => {
        if (term < dictionary.size) postings.add(term, slot, count);
      });
    },
    remove(passage, terms) {
      forget(passage, (take) => unpackTerms(terms.packed, take));
    },
    search(query, { limit, accepts }) {
      const { asked, files, ids } = readAsked(query);
      const scores = scoreAll(asked);
      const rank = new Map<number, 'file' | 'id'>();
      const mark = (terms: readonly number[], kind: 'file' | 'id'): void => {
        for (const term of terms)
          for (const cell of postings.of(term)) if ((cell & 255) > 0) rank.set(cell >>> 8, kind);
      };
      mark(ids, 'id');
      mark(files, 'file');
      const top = createTopList(limit);
      for (let slot = 0; slot < scores.length; slot += 1) {
        const bm25 = scores[slot] ?? 0;
        if (bm25 <= 0) continue;
        const exact = rank.get(slot);
        const passage = passageOf[slot] ?? 0;
        top.offer({ passage, bm25, ...(exact === undefined ? {} : { exact }) }, accepts);
      }
      return top.hits();
    },
    explain(query, _passage, terms) {
      const { asked } = readAsked(query);
      const found: { term: string; bm25: number }[] = [];
      unpackTerms(terms.packed, (id, count) => {
        const weight = asked.get(id);
        const term = dictionary.term(id);
        if (weight === undefined || term === undefined) return;
        found.push({ term, bm25: weight * rarity(id) * saturate(count, terms.length) });
      });
      return found.sort((a, z) => z.bm25 - a.bm25);
    },
    get passages() {
      return slots.size;
    },
    get bytes() {
      return postings.bytes + passageOf.length * 16 + slots.size * 40;
    },
  };
}
