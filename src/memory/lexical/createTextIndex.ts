import { createTermReader, type TermReader } from '../terms/createTermReader.ts';

/** The texts of one entry, by how much a hit in them says. */
export interface IndexedFields {
  /** File name or path. */
  readonly title: string;
  readonly headings: readonly string[];
  readonly body: string;
}

export interface TextHit<T> {
  readonly item: T;
  /** 0 to 1, comparable within one search only: BM25 as `s / (1 + s)` (rulings M3). */
  readonly score: number;
}

/** An inverted index in memory. Any text is a valid query; terms are joined by OR, and rare ones count more. */
export interface TextIndex<T extends object> {
  /** Adds an entry, known by identity from then on. */
  add(item: T, fields: IndexedFields): void;
  /** Takes an entry out; one that is not there is no error. */
  remove(item: T): void;
  /** Best first, equal ones in the order they were added. A smaller limit gives the head of the same list. */
  search(query: string, limit: number): TextHit<T>[];
}

const fieldWeights = { title: 2, headings: 3, body: 1 };

/** BM25: how soon repeated terms stop counting (late, since headings count three times), how much length holds back. */
const k1 = 2;
const b = 0.75;

interface Entry {
  /** Weighted count of each term. */
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
  readonly order: number;
}

export function createTextIndex<T extends object>(): TextIndex<T> {
  const entries = new Map<T, Entry>();
  const postings = new Map<string, Map<T, number>>();
  const reader = createTermReader();
  let totalLength = 0;
  let added = 0;

  const remove = (item: T): void => {
    const entry = entries.get(item);
    if (entry === undefined) return;
    entries.delete(item);
    totalLength -= entry.length;
    for (const term of entry.counts.keys()) {
      const posting = postings.get(term);
      posting?.delete(item);
      if (posting?.size === 0) postings.delete(term);
    }
  };

  const scoreTerm = (term: string, weight: number, scores: Map<T, number>): void => {
    const posting = postings.get(term);
    if (posting === undefined) return;
    const rarity = Math.log(1 + (entries.size - posting.size + 0.5) / (posting.size + 0.5));
    const averageLength = totalLength / entries.size || 1;
    for (const [item, count] of posting) {
      const length = entries.get(item)?.length ?? averageLength;
      const saturated = (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / averageLength));
      scores.set(item, (scores.get(item) ?? 0) + weight * rarity * saturated);
    }
  };

  return {
    remove,
    add(item, fields) {
      remove(item);
      const { counts, length } = countTerms(reader, fields);
      entries.set(item, { counts, length, order: (added += 1) });
      totalLength += length;
      for (const [term, count] of counts) {
        const posting = postings.get(term);
        if (posting === undefined) postings.set(term, new Map([[item, count]]));
        else posting.set(item, count);
      }
    },
    search(query, limit) {
      const scores = new Map<T, number>();
      for (const [term, weight] of countQuery(reader, query)) scoreTerm(term, weight, scores);
      const order = (item: T): number => entries.get(item)?.order ?? 0;
      return [...scores]
        .sort(([itemA, a], [itemB, z]) => z - a || order(itemA) - order(itemB))
        .slice(0, Math.max(0, limit))
        .map(([item, score]) => ({ item, score: score / (1 + score) }));
    },
  };
}

function countTerms(
  reader: TermReader,
  fields: IndexedFields,
): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>();
  const count = (text: string, weight: number): number => {
    const terms = reader.ofText(text);
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + weight);
    return terms.length;
  };
  count(fields.title, fieldWeights.title);
  count(fields.headings.join('\n'), fieldWeights.headings);
  return { length: count(fields.body, fieldWeights.body), counts };
}

/**
 * Terms of a query with how often each occurs; words that say nothing only count where there are no others. Neighbours count as
 * one word too, so that "set it up" finds `setup`.
 */
function countQuery(reader: TermReader, query: string): Map<string, number> {
  const terms = reader.ofQuery(query.slice(0, maxQueryLength));
  const telling = terms.filter((term) => !stopWords.has(term));
  const asked = telling.length > 0 ? telling : terms;
  const joined = asked.slice(1).map((term, index) => `${asked[index] ?? ''}${term}`);
  const counts = new Map<string, number>();
  for (const term of [...asked, ...joined]) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

const maxQueryLength = 10_000;

const stopWords: ReadonlySet<string> = new Set(
  createTermReader().ofText(
    `a about an and any are as at be been but by can could did do does for from had has have how i if in into is it its
     me my of on or our please should so some tell than that the their them then there these they this those to us was
     we were what when where which who why will with would you your`,
  ),
);
