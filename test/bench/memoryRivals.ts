import { DatabaseSync } from 'node:sqlite';
import MiniSearch from 'minisearch';
import { provisionEditorHost } from '../../scripts/editorHost/provision.ts';
import { findRipgrep } from '../../src/editor/host/findRipgrep.ts';
import { createNodeProcesses } from '../../src/host/node/nodeProcesses.ts';
import type { BenchPassage } from './memoryCorpus.ts';
import { wordsOf } from './memoryQueries.ts';

/** Another program that finds the best passages for the words of a query. */
export interface SearchRival {
  readonly name: string;
  /** Gives how many it found. */
  search(query: string): number | Promise<number>;
  close(): void;
}

const limit = 6;

/** FTS5 with its Porter stemmer, in memory, words joined by OR. */
export function openFts5(passages: readonly BenchPassage[]): SearchRival {
  const database = new DatabaseSync(':memory:');
  database.exec(
    "CREATE VIRTUAL TABLE passages USING fts5(title, headings, body, tokenize = 'porter unicode61')",
  );
  const insert = database.prepare('INSERT INTO passages (title, headings, body) VALUES (?, ?, ?)');
  database.exec('BEGIN');
  for (const { title, headings, body } of passages) insert.run(title, headings, body);
  database.exec('COMMIT');
  const select = database.prepare(
    `SELECT rowid, body, rank FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ${limit}`,
  );
  return {
    name: 'FTS5',
    search: (query) =>
      select.all(
        wordsOf(query)
          .map((word) => `"${word}"`)
          .join(' OR '),
      ).length,
    close: () => database.close(),
  };
}

export function openMinisearch(passages: readonly BenchPassage[]): SearchRival {
  const index = new MiniSearch({ fields: ['title', 'headings', 'body'], storeFields: ['body'] });
  index.addAll(passages.map((passage, id) => ({ id, ...passage })));
  return {
    name: 'minisearch',
    search: (query) => index.search(query).slice(0, limit).length,
    close: () => index.removeAll(),
  };
}

/** Lines with any of the words, by the ripgrep of the editor host; undefined where there is none. It ranks nothing. */
export async function openRipgrep(folder: string): Promise<SearchRival | undefined> {
  if (process.platform !== 'linux') return undefined;
  const { server } = await provisionEditorHost(() => undefined);
  const program = await findRipgrep(server);
  if (program === undefined) return undefined;
  const processes = createNodeProcesses();
  return {
    name: 'ripgrep',
    async search(query) {
      let bytes = 0;
      const words = wordsOf(query).flatMap((word) => ['-e', word]);
      const args = ['--no-config', '--ignore-case', '--word-regexp', '--count', ...words, './'];
      const running = await processes.start({ file: program, args, cwd: folder, env: {} });
      running.onOutput((_stream, chunk) => void (bytes += chunk.length));
      await running.exit;
      return bytes;
    },
    close: () => undefined,
  };
}
