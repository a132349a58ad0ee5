import { resolve } from 'node:path';
import { formatRetrieval } from '../test/bench/retrieval/formatRetrieval.ts';
import { measureRetrieval, type RetrievalFigures } from '../test/bench/retrieval/measureRetrieval.ts';
import { openFtsSearch } from '../test/bench/retrieval/openFtsSearch.ts';
import { openMemorySearch } from '../test/bench/retrieval/openMemorySearch.ts';
import { readNamedSet, readOwnSets, type NamedSet } from '../test/bench/retrieval/ownSets.ts';
import type { RetrievalSearch } from '../test/bench/retrieval/retrievalSearch.ts';

/**
 * `bench:retrieval [set.json] …`: how good and how quick the memory's search is without embeddings, beside FTS5 over the same
 * documents. Without a file: the collections of ../shared/data and sets made of links between markdown files.
 * @throws PincerError `set_unreadable`
 */
export async function main(files: readonly string[]): Promise<number> {
  const sets =
    files.length === 0
      ? await readOwnSets()
      : await Promise.all(files.map((file) => readNamedSet(resolve(file))));
  const figures: RetrievalFigures[] = [];
  for (const named of sets) figures.push(...(await measureSet(named)));
  console.log(formatRetrieval(figures));
  return 0;
}

async function measureSet({ name, set }: NamedSet): Promise<RetrievalFigures[]> {
  const opened: (() => RetrievalSearch | Promise<RetrievalSearch>)[] = [
    () => openMemorySearch(set),
    () => openFtsSearch(set, 'unicode61'),
    () => openFtsSearch(set, 'porter'),
  ];
  const figures: RetrievalFigures[] = [];
  for (const open of opened) {
    const search = await open();
    try {
      figures.push(await measureRetrieval(name, set, search));
    } finally {
      await search.close();
    }
  }
  return figures;
}
