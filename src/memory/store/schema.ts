/** Of the tables below and of what they hold. An index of another version is made anew. */
export const formatVersion = 1;

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
