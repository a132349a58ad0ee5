// The index file as a database: its tables and its checksum, statements and what their columns hold, its generation on the disk.
import { crc32 } from 'node:zlib';
import type { Database, SqlValue, Statement } from 'sql.js';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { FileSystem } from '../../host/ports.ts';

/** Of the tables below and of what they hold. An index of another version is made anew. */
const formatVersion = 1;

/** Says in the file's header that it is ours: `PnM` in ASCII, and the version. */
export const applicationId = 0x506e_4d00 + formatVersion;

/**
 * The tables of OpenClaw core flow, in the columns of upstream where they fit. Types and checks say what a sound row is,
 * and `PRAGMA quick_check` holds every stored row to them. Differences from upstream:
 * - A passage's id is its row. Upstream's (SHA-256 of source, path, lines, hash and model) repeats what the other columns say and
 *   would be the largest of them after the text.
 * - A vector is kept once, in `embedding_cache`; `chunks_vec` says which passage has which. What left a file and comes back is not
 *   embedded again, and no vector lies in memory twice.
 * - Texts are packed (`packText`), since the whole of it lies in memory.
 * - sql.js has no FTS5: `chunks_fts` holds each passage's terms as numbers of the dictionary `terms`.
 */
export const tables: readonly string[] = [
  `CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('memory', 'sessions')),
    hash TEXT NOT NULL,
    mtime REAL NOT NULL,
    size INTEGER NOT NULL CHECK (size >= 0),
    date TEXT,
    left_out TEXT
  ) STRICT`,
  `CREATE TABLE chunks (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    file INTEGER NOT NULL REFERENCES files,
    start_line INTEGER NOT NULL CHECK (start_line >= 1),
    end_line INTEGER NOT NULL CHECK (end_line >= start_line),
    hash TEXT NOT NULL,
    headings TEXT NOT NULL CHECK (json_valid(headings) AND json_type(headings) = 'array'),
    text BLOB NOT NULL
  ) STRICT`,
  'CREATE INDEX chunks_of_file ON chunks (file)',
  `CREATE TABLE chunks_fts (
    id INTEGER PRIMARY KEY REFERENCES chunks,
    length REAL NOT NULL CHECK (length >= 0),
    terms BLOB NOT NULL
  ) STRICT`,
  `CREATE TABLE terms (
    id INTEGER PRIMARY KEY CHECK (id >= 0),
    term TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE embedding_spaces (
    id INTEGER PRIMARY KEY,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    provider_key TEXT NOT NULL,
    UNIQUE (provider, model, provider_key)
  ) STRICT`,
  `CREATE TABLE embedding_cache (
    id INTEGER PRIMARY KEY,
    space INTEGER NOT NULL REFERENCES embedding_spaces,
    hash TEXT NOT NULL,
    dims INTEGER NOT NULL CHECK (dims = length(embedding) / 4),
    embedding BLOB NOT NULL CHECK (length(embedding) % 4 = 0),
    UNIQUE (space, hash)
  ) STRICT`,
  `CREATE TABLE chunks_vec (
    id INTEGER PRIMARY KEY REFERENCES chunks,
    space INTEGER NOT NULL REFERENCES embedding_spaces,
    embedding INTEGER NOT NULL REFERENCES embedding_cache
  ) STRICT`,
];

/**
 * For every database that is opened. It lies in memory, so nothing need be synced, and the way back of a transaction neither;
 * what is deleted is overwritten, so that a forgotten file is not in the index file any more; a database from elsewhere
 * must not call functions.
 */
export const openingPragmas: readonly string[] = [
  'PRAGMA trusted_schema = OFF',
  'PRAGMA cell_size_check = ON',
  'PRAGMA locking_mode = EXCLUSIVE',
  'PRAGMA journal_mode = MEMORY',
  'PRAGMA synchronous = OFF',
  'PRAGMA temp_store = MEMORY',
  'PRAGMA secure_delete = ON',
];

/** The first bytes of every SQLite database. */
const magic = 'SQLite format 3\0';
const headerLength = 100;
/** `user_version`, which is for the application; we keep the checksum there. */
const checksumAt = 60;
/** `application_id`: three bytes of ours and one for the version. */
const markAt = 68;

/** Puts a checksum of the whole database into its header: SQLite itself notices no wrong bytes inside of values. */
export function writeChecksum(content: Uint8Array): void {
  viewOf(content).setUint32(checksumAt, checksumOf(content));
}

/** Why bytes are not an index as it was written, as a sentence about the file; undefined where they are. */
export function findChecksumFault(content: Uint8Array): string | undefined {
  if (content.length === 0) return 'It is empty.';
  if (
    content.length < headerLength ||
    !new TextDecoder().decode(content.subarray(0, magic.length)).startsWith(magic)
  )
    return 'It is not a database.';
  const mark = viewOf(content).getUint32(markAt);
  if (mark >>> 8 !== applicationId >>> 8) return 'It is not an index of Pincer.';
  const version = mark & 0xff;
  if (version !== formatVersion) return `It was written by another version of Pincer (format ${version}).`;
  return viewOf(content).getUint32(checksumAt) === checksumOf(content) ? undefined : 'It is damaged.';
}

/** Of everything but the checksum's own bytes. */
function checksumOf(content: Uint8Array): number {
  return crc32(content.subarray(checksumAt + 4), crc32(content.subarray(0, checksumAt)));
}

function viewOf(content: Uint8Array): DataView {
  return new DataView(content.buffer, content.byteOffset, content.byteLength);
}

export type SqlRow = readonly SqlValue[];

/**
 * Statements of one database, each prepared at its first use and kept. What is called for the rows of a statement must not run
 * the same statement. @throws PincerError `memory_index_failed`
 */
export interface Statements {
  readonly run: (sql: string, ...values: readonly SqlValue[]) => void;
  readonly first: (sql: string, ...values: readonly SqlValue[]) => SqlRow | undefined;
  readonly all: (sql: string, ...values: readonly SqlValue[]) => readonly SqlRow[];
  readonly each: (sql: string, values: readonly SqlValue[], take: (row: SqlRow) => void) => void;
  /** All of `work` or, where it throws, nothing of it. */
  readonly inTransaction: <T>(work: () => T) => T;
}

export function createStatements(database: Database): Statements {
  const prepared = new Map<string, Statement>();
  const start = (sql: string, values: readonly SqlValue[]): Statement => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    statement.bind([...values]);
    return statement;
  };
  const each: Statements['each'] = (sql, values, take) => {
    const statement = guarded(() => start(sql, values));
    try {
      while (guarded(() => statement.step())) take(statement.get());
    } finally {
      // Frees what was bound, and ends what was read.
      statement.reset();
    }
  };
  const run: Statements['run'] = (sql, ...values) => each(sql, values, () => undefined);
  return {
    run,
    each,
    first(sql, ...values) {
      let found: SqlRow | undefined;
      each(sql, values, (row) => (found ??= row));
      return found;
    },
    all(sql, ...values) {
      const rows: SqlRow[] = [];
      each(sql, values, (row) => rows.push(row));
      return rows;
    },
    inTransaction(work) {
      run('SAVEPOINT work');
      try {
        return work();
      } catch (error) {
        run('ROLLBACK TO work');
        throw error;
      } finally {
        run('RELEASE work');
      }
    },
  };
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw indexFailed(error);
  }
}

// What a column holds, as the type that the schema gives it: a file whose rows have others is not opened (findFault).

export function toText(value: SqlValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function toOptionalText(value: SqlValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function toNumber(value: SqlValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}

export function toBytes(value: SqlValue | undefined): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}

/** Something went wrong inside the database, such as memory that ran out. */
export function indexFailed(cause: unknown): PincerError {
  return new PincerError('memory_index_failed', `The memory's index failed: ${errorMessage(cause)}`, {
    hint: 'Reindex the memory.',
    cause,
  });
}

/** For who reads an index that another window writes. */
interface GenerationWatch {
  /** Takes the file as it is now for the one that is in use. Call it before `openStore`, so that no later one is missed. */
  mark(): Promise<void>;
  /** True where another generation lies there than the marked one. It costs one `stat`. */
  hasMoved(): Promise<boolean>;
}

export function createGenerationWatch(deps: {
  readonly fs: Pick<FileSystem, 'stat'>;
  readonly file: string;
}): GenerationWatch {
  let marked: string | undefined;
  const readStamp = async (): Promise<string> => {
    // Opening it says what is wrong; who follows must not end over it.
    const stat = await deps.fs.stat(deps.file).catch(unlessUnreadable);
    if (stat === 'unreadable') return stat;
    return stat === undefined ? 'none' : `${stat.size} ${stat.mtimeMs}`;
  };
  return {
    async mark() {
      marked = await readStamp();
    },
    hasMoved: async () => (await readStamp()) !== marked,
  };
}

function unlessUnreadable(error: unknown): 'unreadable' {
  if (error instanceof PincerError && error.code.startsWith('io_')) return 'unreadable';
  throw error;
}
