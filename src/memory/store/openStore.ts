import type { Database, SqlJsStatic } from 'sql.js';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { FileSystem } from '../../host/ports.ts';
import {
  applicationId,
  createStatements,
  findChecksumFault,
  indexFailed,
  openingPragmas,
  writeChecksum,
  type Statements,
  tables,
  toNumber,
  toOptionalText,
  toText,
} from './database.ts';
import {
  createFileRows,
  createVectorRows,
  type IndexedPassage,
  type NewPassage,
  type StoredFile,
  type StoredPassage,
  type VectorSpace,
} from './rows.ts';

export interface OpenStoreOptions {
  readonly fs: Pick<FileSystem, 'stat' | 'readFile' | 'writeFile'>;
  /** From `loadSqlite`. */
  readonly sqlite: SqlJsStatic;
  /** Absolute path of the index file. */
  readonly file: string;
  /** What an empty one goes on from, such as one that takes another's place; default 0. */
  readonly generation?: number;
}

interface OpenDatabase {
  readonly database: Database;
  readonly statements: Statements;
}

/** A larger index is not one that we wrote. */
const maxBytes = 1_000_000_000;

/**
 * The index as the file has it or, where there is none that can be used, an empty one: it is derived data. Never
 * rejects for what the file is.
 */
export async function openStore(options: OpenStoreOptions): Promise<OpenedStore> {
  const bytes = await readIndex(options);
  if (bytes === undefined)
    return { store: createEmpty(options, { bytes: 0, isChanged: false }), state: 'new' };
  if (bytes instanceof PincerError) return unusable(options, 0, bytes.message);
  const opened = openDatabase(options, bytes);
  return typeof opened === 'string'
    ? unusable(options, bytes.length, opened)
    : {
        store: createStore({ ...options, ...opened, bytes: bytes.length, isChanged: false }),
        state: 'loaded',
      };
}

function unusable(options: OpenStoreOptions, bytes: number, problem: string): OpenedStore {
  // It is to be replaced even if nothing is found to be put into the new one.
  return { store: createEmpty(options, { bytes, isChanged: true }), state: 'unusable', problem };
}

async function readIndex({ fs, file }: OpenStoreOptions): Promise<Uint8Array | PincerError | undefined> {
  try {
    return (await fs.stat(file)) === undefined ? undefined : await fs.readFile(file, maxBytes);
  } catch (error) {
    if (error instanceof PincerError) return error;
    throw error;
  }
}

/** The database, or why it can't be used. */
function openDatabase({ sqlite }: OpenStoreOptions, bytes: Uint8Array): OpenDatabase | string {
  const checksumFault = findChecksumFault(bytes);
  if (checksumFault !== undefined) return checksumFault;
  const opened = openBytes(sqlite, bytes);
  const fault = faultOf(opened.statements);
  if (fault === undefined) return opened;
  opened.database.close();
  return fault;
}

function faultOf(statements: Statements): string | undefined {
  try {
    prepareForUse(statements);
    return findFault(statements);
  } catch (error) {
    return `It can't be read: ${errorMessage(error instanceof PincerError ? error.cause : error)}.`;
  }
}

function createEmpty(options: OpenStoreOptions, start: Pick<StoreParts, 'bytes' | 'isChanged'>): MemoryStore {
  const opened = openBytes(options.sqlite, withRoomToGrow(makeTables(options)));
  prepareForUse(opened.statements);
  return createStore({ ...options, ...opened, ...start });
}

function makeTables({ sqlite, generation = 0 }: OpenStoreOptions): Uint8Array {
  const { database, statements } = openBytes(sqlite);
  for (const sql of [`PRAGMA application_id = ${applicationId}`, ...tables]) statements.run(sql);
  statements.run('INSERT INTO meta VALUES (?, ?)', 'generation', String(generation));
  const content = database.export();
  database.close();
  return content;
}

/** About 50,000 passages. */
const roomBytes = 64_000_000;

/**
 * The same database in a buffer that it does not soon outgrow: sql.js would copy the whole of it into one that is an eighth
 * larger, again and again, and what is left behind takes more memory than the index (measured: up to 30 MB more while 20,000
 * passages come in). SQLite goes by the size in its header, and a page of zeros takes no memory before it is used.
 * A `Buffer`, since sql.js takes that as it is.
 */
function withRoomToGrow(content: Uint8Array): Uint8Array {
  const room = Buffer.alloc(roomBytes);
  room.set(content);
  return room;
}

function openBytes(sqlite: SqlJsStatic, bytes?: Uint8Array): OpenDatabase {
  const database = new sqlite.Database(bytes);
  return { database, statements: createStatements(database) };
}

function prepareForUse({ run }: Statements): void {
  for (const pragma of openingPragmas) run(pragma);
}

// Threat: an index file that somebody else wrote, who wants a later query to run his triggers, views or expressions, or to
// fall over his rows. Nothing of it is used before its schema is ours to the letter and every row is sound.

/**
 * Why a database can't be used as an index, as a sentence about the file; undefined where it can. @throws where SQLite can't read
 * it at all
 */
function findFault(statements: Statements): string | undefined {
  return findStranger(statements) ?? findDamage(statements);
}

function findStranger({ all }: Statements): string | undefined {
  const found = all('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').map(([sql]) => toText(sql));
  const isOurs = found.length === tables.length && new Set([...found, ...tables]).size === tables.length;
  return isOurs ? undefined : 'Its tables are not those of an index.';
}

function findDamage({ first }: Statements): string | undefined {
  const check = toText(first('PRAGMA quick_check(1)')?.[0]);
  if (check !== 'ok') return `It is damaged: ${check}.`;
  const orphan = first('PRAGMA foreign_key_check');
  if (orphan !== undefined) return `It is damaged: rows of ${toText(orphan[0])} refer to missing ones.`;
  const [terms, last] = first('SELECT count(*), max(id) FROM terms') ?? [];
  const isWhole = toNumber(terms) === 0 || toNumber(last) === toNumber(terms) - 1;
  return isWhole ? undefined : 'It is damaged: terms are missing.';
}

/**
 * The index in one sql.js database in memory: `files`, `chunks`, `chunks_fts` (packed terms of each passage),
 * `embedding_cache` (vectors as blobs), `chunks_vec` (which passage has which), `meta`, and `terms`, the dictionary. Everything but
 * `save` is synchronous and quick; nothing throws for bad data once it is open.
 */
export interface MemoryStore {
  /** Grows by one with each save. */
  readonly generation: number;
  /** The dictionary's terms in the order of their numbers. */
  terms(): readonly string[];
  addTerms(first: number, terms: readonly string[]): void;
  /** Empty where no passage holds it any more: a word of a forgotten file is not kept. Its number stays taken. */
  setTerm(id: number, term: string): void;
  files(): readonly StoredFile[];
  /** In one transaction: what it held goes, the new passages come. Gives both, for the lexical index. */
  replaceFile(
    file: StoredFile,
    passages: readonly NewPassage[],
  ): { readonly removed: readonly IndexedPassage[]; readonly added: readonly number[] };
  /** For a file of very many passages, a part at a time: adds to those of a file that is there. */
  addPassages(path: string, passages: readonly NewPassage[]): readonly number[];
  /** Takes away at most `limit` passages of a file; none where it has no more. */
  removePassages(path: string, limit: number): readonly IndexedPassage[];
  /** The same file with another time or label. */
  touchFile(file: StoredFile): void;
  removeFile(path: string): readonly IndexedPassage[];
  passage(passage: number): StoredPassage | undefined;
  passagesOf(path: string): readonly StoredPassage[];
  /** Every passage's terms, for building the index at the start. */
  eachTerms(take: (indexed: IndexedPassage) => void): void;
  /** The file of every passage; quick, since no row is read. */
  eachPath(take: (passage: number, path: string) => void): void;
  counts(): { readonly files: number; readonly passages: number };
  /** How many passages each file has. */
  passagesByFile(): ReadonlyMap<string, number>;
  meta(key: string): string | undefined;
  setMeta(key: string, value: string): void;

  /** Vectors have length 1. */
  setVector(passage: number, space: VectorSpace, vector: Float32Array): void;
  eachVector(space: VectorSpace, take: (passage: number, vector: Float32Array) => void): void;
  withoutVector(space: VectorSpace, limit: number): readonly StoredPassage[];
  countVectors(space: VectorSpace): number;
  /** Drops the vectors of every other space. */
  keepVectorsOf(space: VectorSpace): void;
  cachedVector(space: VectorSpace, hash: string): Float32Array | undefined;
  cacheVector(space: VectorSpace, hash: string, vector: Float32Array): void;

  /** True where something was changed since it was opened or saved. */
  readonly isChanged: boolean;
  /**
   * Temp file, fsync, rename; the next generation. Nothing where nothing was changed. @throws PincerError `io_*`: then the file on
   * disk is as it was.
   */
  save(): Promise<void>;
  /** Bytes of the file on disk; 0 before the first save. */
  readonly bytes: number;
  close(): void;
}

/**
 * `new`: there was no file. `unusable`: there was one that can't be used, `problem` says why; it is left where it is until a save.
 */
export interface OpenedStore {
  readonly store: MemoryStore;
  readonly state: 'loaded' | 'new' | 'unusable';
  readonly problem?: string;
}

interface StoreParts {
  readonly fs: Pick<FileSystem, 'writeFile'>;
  readonly file: string;
  readonly database: Database;
  readonly statements: Statements;
  /** Of the file on disk. */
  readonly bytes: number;
  readonly isChanged: boolean;
}

/** The store over a database that holds the `tables`, and sound rows only. */
function createStore(parts: StoreParts): MemoryStore {
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

interface Saver {
  generation(): number;
  isChanged(): boolean;
  bytes(): number;
  noteChange(): void;
  /** One at a time; the later ones wait. `prepare` may still change the database. */
  save(prepare: () => void): Promise<void>;
}

interface SaverParts {
  readonly fs: Pick<FileSystem, 'writeFile'>;
  readonly file: string;
  readonly database: Database;
  readonly statements: Statements;
  readonly bytes: number;
  readonly isChanged: boolean;
}

/** Writes a database from memory to its file as a whole, each time as the next generation. */
function createSaver({ fs, file, database, statements, ...start }: SaverParts): Saver {
  let { bytes } = start;
  let generation = readGeneration(statements);
  let changes = start.isChanged ? 1 : 0;
  let savedChanges = 0;
  let queue: Promise<void> = Promise.resolve();

  const write = async (prepare: () => void): Promise<void> => {
    if (changes === savedChanges) return;
    const [next, upTo] = [generation + 1, changes];
    prepare();
    statements.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', 'generation', String(next));
    compact(statements);
    const content = exportWhole(database);
    writeChecksum(content);
    // Passages are private texts, whatever the workspace's own permissions say.
    await fs.writeFile(file, content, 'private');
    generation = next;
    savedChanges = upTo;
    bytes = content.length;
  };
  return {
    generation: () => generation,
    isChanged: () => changes !== savedChanges,
    bytes: () => bytes,
    noteChange: () => void (changes += 1),
    save(prepare) {
      const done = queue.then(() => write(prepare));
      queue = done.catch(() => undefined);
      return done;
    },
  };
}

function exportWhole(database: Database): Uint8Array {
  try {
    return database.export();
  } catch (error) {
    throw indexFailed(error);
  }
}

function readGeneration({ first }: Statements): number {
  const [said] = first("SELECT value FROM meta WHERE key = 'generation'") ?? [];
  const generation = Number(toText(said));
  return Number.isSafeInteger(generation) && generation > 0 ? generation : 0;
}

/** What was deleted leaves free pages for what comes; only where they are most of the file are they given back. */
function compact({ first, run }: Statements): void {
  const free = toNumber(first('PRAGMA freelist_count')?.[0]);
  const pages = toNumber(first('PRAGMA page_count')?.[0]);
  if (free > 256 && free > pages / 2) run('VACUUM');
}
