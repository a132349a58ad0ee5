import { DatabaseSync } from 'node:sqlite';
import type { RetrievalSearch } from './retrievalSearch.ts';
import type { RetrievalSet } from './retrievalSet.ts';

/** The yardstick: FTS5 of `node:sqlite` over whole documents, the words of a query joined by OR. */
export function openFtsSearch(
  { docs }: Pick<RetrievalSet, 'docs'>,
  tokenizer: 'unicode61' | 'porter',
): RetrievalSearch {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE VIRTUAL TABLE documents USING fts5(title, text, tokenize = '${tokenizer}')`);
  const insert = database.prepare('INSERT INTO documents (rowid, title, text) VALUES (?, ?, ?)');
  database.exec('BEGIN');
  for (const [index, { title, text }] of docs.entries()) insert.run(index + 1, title, text);
  database.exec('COMMIT');
  const select = database.prepare(
    'SELECT rowid FROM documents WHERE documents MATCH ? ORDER BY rank LIMIT 50',
  );
  return {
    name: tokenizer === 'porter' ? 'FTS5 porter' : 'FTS5',
    search(query) {
      const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
      if (words.length === 0) return Promise.resolve([]);
      const rows = select.all(words.map((word) => `"${word}"`).join(' OR '));
      return Promise.resolve(rows.map((row) => docs[Number(row['rowid']) - 1]?.id ?? ''));
    },
    close() {
      database.close();
      return Promise.resolve();
    },
  };
}
