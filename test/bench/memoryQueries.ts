import type { BenchPassage } from './memoryCorpus.ts';

/**
 * What people and agents ask: half of them headings, half eight words out of a passage. Spread evenly over the passages, the same
 * in every run.
 */
export function chooseQueries(passages: readonly BenchPassage[], count: number): readonly string[] {
  const queries: string[] = [];
  const step = Math.max(1, Math.floor(passages.length / (count * 4)));
  for (let at = 0; queries.length < count && at < passages.length; at += step) {
    const { headings, body } = passages[at] ?? { headings: '', body: '' };
    const words = body.match(/\p{L}{2,}/gu) ?? [];
    const query = queries.length % 2 === 0 ? headings.split('\n').at(-1) : words.slice(20, 28).join(' ');
    if (query !== undefined && query.length > 8 && !queries.includes(query)) queries.push(query);
  }
  return queries;
}

/** The different words of a query, for programs that take them one by one. */
export function wordsOf(query: string): readonly string[] {
  return [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
}
