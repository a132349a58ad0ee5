import type { Database } from 'sql.js';
import type { FileSystem } from '../../host/ports.ts';
import { toNumber, toOptionalText, toText } from './columns.ts';
import type { Statements } from './createStatements.ts';
import { createFileRows } from './createFileRows.ts';
import { createSaver } from './createSaver.ts';
import { createVectorRows } from './createVectorRows.ts';
import type { MemoryStore } from './memoryStore.ts';

export interface StoreParts {
  readonly fs: Pick<FileSystem, 'writeFile'>;
  readonly file: string;
  readonly database: Database;
  readonly statements: Statements;
  /** Of the file on disk. */
  readonly bytes: number;
  readonly isChanged: boolean;
}

/** The store over a database that holds the tables of `schema.ts`, and sound rows only. */
export function createStore(parts: StoreParts): MemoryStore {
  const { database, statements } = parts;
  const { first, run } = statements;
  const saver = createSaver(parts);
  /** The same function, after which there is something to save. */
  const changing =
    <A extends readonly unknown[], T>(change: (...args: A) => T) =>
    (...args: A): T => {
      const result = change(...args);
      saver.noteChange();
      return result;
    };
  const files = createFileRows(statements);
  const vectors = createVectorRows(statements);
  return {
    get generation() {
      return saver.generation();
    },
    get isChanged() {
      return saver.isChanged();
    },
    get bytes() {
      return saver.bytes();
    },
    save: () => saver.save(vectors.prune),
    close: () => database.close(),

    terms() {
      const [json] = first('SELECT json_group_array(term) FROM (SELECT term FROM terms ORDER BY id)') ?? [];
      return JSON.parse(toText(json)) as string[];
    },
    addTerms: changing((from: number, terms: readonly string[]) => {
      const sql = 'INSERT INTO terms (id, term) SELECT ? + key, value FROM json_each(?)';
      run(sql, from, JSON.stringify(terms));
    }),
    setTerm: changing((id: number, term: string) => run('UPDATE terms SET term = ? WHERE id = ?', term, id)),
    meta: (key) => toOptionalText(first('SELECT value FROM meta WHERE key = ?', key)?.[0]),
    setMeta: changing((key: string, value: string) =>
      run('INSERT OR REPLACE INTO meta VALUES (?, ?)', key, value),
    ),

    files: files.all,
    replaceFile: changing(files.replace),
    addPassages: changing(files.addPassages),
    removePassages: changing(files.removePassages),
    touchFile: changing(files.touch),
    removeFile: changing(files.remove),
    passage: files.passage,
    passagesOf: files.passagesOf,
    eachTerms: files.eachTerms,
    eachPath: files.eachPath,
    passagesByFile: files.countByFile,
    counts() {
      const [inFiles, inChunks] =
        first('SELECT (SELECT count(*) FROM files), (SELECT count(*) FROM chunks)') ?? [];
      return { files: toNumber(inFiles), passages: toNumber(inChunks) };
    },

    setVector: changing(vectors.set),
    eachVector: vectors.each,
    withoutVector: (space, limit) =>
      vectors.passagesWithout(space, limit).flatMap((passage) => files.passage(passage) ?? []),
    countVectors: vectors.count,
    keepVectorsOf: changing(vectors.keepOnly),
    cachedVector: vectors.cached,
    cacheVector: changing(vectors.cache),
  };
}
