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
