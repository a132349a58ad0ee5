import type { RetrievalSearch } from './retrievalSearch.ts';
import { judgedQueries, type RetrievalSet } from './retrievalSet.ts';
import { meanOf, ndcgAt, percentile, recallAt } from './scoreRanking.ts';

/** How good and how quick one search was over one set. */
export interface RetrievalFigures {
  readonly set: string;
  readonly search: string;
  readonly documents: number;
  readonly queries: number;
  /** Means over the queries; 0 to 1. */
  readonly ndcg: number;
  readonly recall: number;
  /** Milliseconds of one query, as the caller waits. */
  readonly p50: number;
  readonly p95: number;
}

const depth = 10;

/** Asks every query that any document is relevant for, one after the other. */
export async function measureRetrieval(
  name: string,
  set: RetrievalSet,
  search: RetrievalSearch,
): Promise<RetrievalFigures> {
  const queries = judgedQueries(set);
  const [ndcgs, recalls, times]: [number[], number[], number[]] = [[], [], []];
  for (const { id, text } of queries) {
    const start = performance.now();
    const ranking = await search.search(text);
    times.push(performance.now() - start);
    const grades = set.qrels[id] ?? {};
    ndcgs.push(ndcgAt(depth, ranking, grades));
    recalls.push(recallAt(depth, ranking, grades));
  }
  return {
    set: name,
    search: search.name,
    documents: set.docs.length,
    queries: queries.length,
    ndcg: meanOf(ndcgs),
    recall: meanOf(recalls),
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  };
}
