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
  const saver = createSaver(parts);
  const changed = <T>(result: T): T => {
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
    save: () => saver.save(() => vectors.prune()),
    close: () => database.close(),

    terms() {
      const [json] = statements.first('SELECT json_group_array(term ORDER BY id) FROM terms') ?? [];
      return JSON.parse(toText(json)) as string[];
    },
    addTerms(first, terms) {
      const sql = 'INSERT INTO terms (id, term) SELECT ? + key, value FROM json_each(?)';
      changed(statements.run(sql, first, JSON.stringify(terms)));
    },
    meta: (key) => toOptionalText(statements.first('SELECT value FROM meta WHERE key = ?', key)?.[0]),
    setMeta: (key, value) => changed(statements.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', key, value)),

    files: () => files.all(),
    replaceFile: (file, passages) => changed(files.replace(file, passages)),
    touchFile: (file) => changed(files.touch(file)),
    removeFile: (path) => changed(files.remove(path)),
    passage: (passage) => files.passage(passage),
    passagesOf: (path) => files.passagesOf(path),
    eachTerms: (take) => files.eachTerms(take),
    passagesByFile: () => files.passagesByFile(),
    counts() {
      const [inFiles, inChunks] =
        statements.first('SELECT (SELECT count(*) FROM files), (SELECT count(*) FROM chunks)') ?? [];
      return { files: toNumber(inFiles), passages: toNumber(inChunks) };
    },

    setVector: (passage, space, vector) => changed(vectors.set(passage, space, vector)),
    eachVector: (space, take) => vectors.each(space, take),
    withoutVector: (space, limit) =>
      vectors.passagesWithout(space, limit).flatMap((id) => files.passage(id) ?? []),
    countVectors: (space) => vectors.count(space),
    keepVectorsOf: (space) => changed(vectors.keepOnly(space)),
    cachedVector: (space, hash) => vectors.cached(space, hash),
    cacheVector: (space, hash, vector) => changed(vectors.cache(space, hash, vector)),
  };
}
