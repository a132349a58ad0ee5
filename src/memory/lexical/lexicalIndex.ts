import type { TermScore } from '../memory.ts';

/** The texts of one passage, by how much a hit in them says. */
export interface PassageFields {
  /** File name or path. */
  readonly title: string;
  /** Title, tags and aliases of the front matter. */
  readonly keywords: string;
  readonly headings: readonly string[];
  readonly body: string;
}

/** Terms by number, so that a passage is kept in few bytes. Numbers count from 0 and stay. */
export interface TermDictionary {
  /** The number of a term; a new one where it has none yet. */
  add(term: string): number;
  find(term: string): number | undefined;
  term(id: number): string | undefined;
  readonly size: number;
  /** The terms of one token of a text, each new one added; remembered, since a text has few different tokens. */
  read(token: string): { readonly ids: readonly number[]; readonly words: number };
}

/** What the index keeps of a passage: numbers and weighted counts of its terms, packed, and its length in words. */
export interface PassageTerms {
  readonly packed: Uint8Array;
  readonly length: number;
}

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
