import type { RetrievalFigures } from './measureRetrieval.ts';

const columns: readonly (readonly [string, (figures: RetrievalFigures) => string])[] = [
  ['set', ({ set }) => set],
  ['search', ({ search }) => search],
  ['documents', ({ documents }) => String(documents)],
  ['queries', ({ queries }) => String(queries)],
  ['nDCG@10', ({ ndcg }) => ndcg.toFixed(3)],
  ['recall@10', ({ recall }) => recall.toFixed(3)],
  ['p50 ms', ({ p50 }) => p50.toFixed(1)],
  ['p95 ms', ({ p95 }) => p95.toFixed(1)],
];
const textColumns = 2;

/** One line for each search over each set, aligned. */
export function formatRetrieval(all: readonly RetrievalFigures[]): string {
  const rows = [columns.map(([title]) => title), ...all.map((each) => columns.map(([, cell]) => cell(each)))];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const pad = (cell: string, at: number): string =>
    at < textColumns ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0);
  return rows.map((row) => row.map(pad).join('  ')).join('\n');
}
