import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { MemorySource } from '../../config/sections/memorySources.ts';
import type { PassageTerms } from '../lexical/lexicalTerms.ts';
import { type SqlRow, type Statements, toBytes, toNumber, toOptionalText, toText } from './database.ts';

/** A file as the index knows it. */
export interface StoredFile {
  /** Absolute; the key. */
  readonly path: string;
  readonly label: string;
  readonly source: MemorySource;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
  readonly modified: number;
  readonly bytes: number;
  /** ISO day that its name or front matter gives; undefined where neither does. */
  readonly date: string | undefined;
  /** Why it holds no passages though it should; undefined otherwise. */
  readonly leftOut: string | undefined;
}

export interface NewPassage {
  readonly startLine: number;
  readonly endLine: number;
  readonly headings: readonly string[];
  readonly text: string;
  /** SHA-256 of what is embedded (headings and text), hexadecimal. */
  readonly hash: string;
  readonly terms: PassageTerms;
}

/**
 * `passage` is its row: a small whole number that is not used again while the store is open. `text` is unpacked when it is
 * first read.
 */
export interface StoredPassage extends NewPassage {
  readonly passage: number;
  readonly path: string;
}

/** Which vectors belong together: the same text gives the same vector. */
export interface VectorSpace {
  readonly provider: string;
  readonly model: string;
  /** Fingerprint of endpoint and settings; holds no secret. */
  readonly providerKey: string;
}

export interface IndexedPassage {
  readonly passage: number;
  readonly terms: PassageTerms;
}

interface FileRows {
  readonly all: () => readonly StoredFile[];
  readonly replace: (
    file: StoredFile,
    passages: readonly NewPassage[],
  ) => { readonly removed: readonly IndexedPassage[]; readonly added: readonly number[] };
  readonly addPassages: (path: string, passages: readonly NewPassage[]) => readonly number[];
  readonly removePassages: (path: string, limit: number) => readonly IndexedPassage[];
  readonly touch: (file: StoredFile) => void;
  readonly remove: (path: string) => readonly IndexedPassage[];
  readonly passage: (passage: number) => StoredPassage | undefined;
  readonly passagesOf: (path: string) => readonly StoredPassage[];
  readonly eachTerms: (take: (indexed: IndexedPassage) => void) => void;
  readonly eachPath: (take: (passage: number, path: string) => void) => void;
  readonly countByFile: () => ReadonlyMap<string, number>;
}

const readFiles = 'SELECT path, label, source, hash, mtime, size, date, left_out FROM files ORDER BY path';
const addFile = `INSERT INTO files (label, source, hash, mtime, size, date, left_out, path)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`;
const changeFile = `UPDATE files SET label = ?, source = ?, hash = ?, mtime = ?, size = ?, date = ?, left_out = ?
  WHERE path = ?`;
// Each table by itself: a join of them takes several times as long.
const readPassage = 'SELECT id, file, start_line, end_line, hash, headings, text FROM chunks WHERE id = ?';
const readTerms = 'SELECT id, length, terms FROM chunks_fts WHERE id = ?';

/** Files, their passages and the passages' terms: `files`, `chunks` and `chunks_fts`. */
export function createFileRows({ run, first, all, each, inTransaction }: Statements): FileRows {
  let lastPassage = toNumber(first('SELECT max(id) FROM chunks')?.[0]);
  const paths = new Map(all('SELECT id, path FROM files').map(([id, path]) => [toNumber(id), toText(path)]));

  const idOf = (path: string): number | undefined => {
    const row = first('SELECT id FROM files WHERE path = ?', path);
    return row && toNumber(row[0]);
  };
  const add = (file: StoredFile): number => toNumber(first(addFile, ...valuesOf(file))?.[0]);
  const addPassage = (file: number, passage: NewPassage): number => {
    const { startLine, endLine, headings, text, hash, terms } = passage;
    const values = [file, startLine, endLine, hash, JSON.stringify(headings), packText(text)];
    lastPassage += 1;
    run('INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)', lastPassage, ...values);
    run('INSERT INTO chunks_fts VALUES (?, ?, ?)', lastPassage, terms.length, terms.packed);
    return lastPassage;
  };
  const passageIds = (file: number, limit = -1): readonly number[] =>
    all('SELECT id FROM chunks WHERE file = ? ORDER BY id LIMIT ?', file, limit).map(([id]) => toNumber(id));
  const termsOf = (passage: number): IndexedPassage => toIndexed(first(readTerms, passage) ?? [passage]);
  /** Passages of a file and all that hangs on them. */
  const removePassages = (file: number, limit?: number): readonly IndexedPassage[] => {
    const ids = passageIds(file, limit);
    const removed = ids.map(termsOf);
    for (const id of ids)
      for (const table of ['chunks_vec', 'chunks_fts', 'chunks'])
        run(`DELETE FROM ${table} WHERE id = ?`, id);
    return removed;
  };
  const passage: FileRows['passage'] = (id) => {
    const row = first(readPassage, id);
    return row && toPassage(row, paths.get(toNumber(row[1])) ?? '', termsOf(id));
  };
  return {
    passage,
    addPassages(path, passages) {
      const id = idOf(path);
      return id === undefined ? [] : inTransaction(() => passages.map((each) => addPassage(id, each)));
    },
    removePassages(path, limit) {
      const id = idOf(path);
      return id === undefined ? [] : inTransaction(() => removePassages(id, limit));
    },
    touch: (file) => run(changeFile, ...valuesOf(file)),
    all: () => all(readFiles).map(toFile),
    replace(file, passages) {
      const { id, ...result } = inTransaction(() => {
        const known = idOf(file.path);
        const removed = known === undefined ? [] : removePassages(known);
        if (known !== undefined) run(changeFile, ...valuesOf(file));
        const id = known ?? add(file);
        return { id, removed, added: passages.map((each) => addPassage(id, each)) };
      });
      paths.set(id, file.path);
      return result;
    },
    remove(path) {
      const id = idOf(path);
      if (id === undefined) return [];
      const removed = inTransaction(() => {
        const passages = removePassages(id);
        run('DELETE FROM files WHERE id = ?', id);
        return passages;
      });
      paths.delete(id);
      return removed;
    },
    passagesOf(path) {
      const id = idOf(path);
      return id === undefined ? [] : passageIds(id).flatMap((each) => passage(each) ?? []);
    },
    eachTerms: (take) =>
      each('SELECT id, length, terms FROM chunks_fts ORDER BY id', [], (row) => take(toIndexed(row))),
    // The index `chunks_of_file` alone answers this.
    eachPath: (take) =>
      each('SELECT id, file FROM chunks', [], ([id, file]) =>
        take(toNumber(id), paths.get(toNumber(file)) ?? ''),
      ),
    countByFile() {
      const counts = all('SELECT file, count(*) FROM chunks GROUP BY file');
      const byId = new Map(counts.map(([id, count]) => [toNumber(id), toNumber(count)]));
      return new Map([...paths].map(([id, path]) => [path, byId.get(id) ?? 0]));
    },
  };
}

/** In the order of the columns that `addFile` and `changeFile` name. */
function valuesOf(file: StoredFile): readonly (string | number | null)[] {
  const { label, source, hash, modified, bytes, date = null, leftOut = null, path } = file;
  return [label, source, hash, modified, bytes, date, leftOut, path];
}

function toFile([path, label, source, hash, modified, bytes, date, leftOut]: SqlRow): StoredFile {
  return {
    path: toText(path),
    label: toText(label),
    source: source === 'sessions' ? 'sessions' : 'memory',
    hash: toText(hash),
    modified: toNumber(modified),
    bytes: toNumber(bytes),
    date: toOptionalText(date),
    leftOut: toOptionalText(leftOut),
  };
}

function toIndexed([passage, length, terms]: SqlRow): IndexedPassage {
  return { passage: toNumber(passage), terms: { packed: toBytes(terms), length: toNumber(length) } };
}

function toPassage(row: SqlRow, path: string, { terms }: IndexedPassage): StoredPassage {
  const [passage, , startLine, endLine, hash, headings, packed] = row;
  let text: string | undefined;
  return {
    passage: toNumber(passage),
    path,
    startLine: toNumber(startLine),
    endLine: toNumber(endLine),
    headings: (JSON.parse(toText(headings)) as unknown[]).map(String),
    hash: toText(hash),
    terms,
    // A search reads many passages and shows few: unpacking is most of what reading one takes.
    get text() {
      return (text ??= unpackText(toBytes(packed)));
    },
  };
}

/**
 * Settings for texts of about 2 kB: half the size for 30 µs. The index lies in memory as a whole, so that 20,000 passages take
 * some 25 MB rather than 50.
 */
const packing = { level: 6, windowBits: 11, memLevel: 5, chunkSize: 2_048 } as const;
/** Far beyond any passage: a made-up one must not unpack into gigabytes. */
const unpacking = { chunkSize: 4_096, maxOutputLength: 16_000_000 } as const;

/** For a column of the index. */
function packText(text: string): Uint8Array {
  return deflateRawSync(text, packing);
}

/** Empty where the bytes are not what `packText` gave. */
function unpackText(packed: Uint8Array): string {
  try {
    return inflateRawSync(packed, unpacking).toString('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}

interface VectorRows {
  readonly set: (passage: number, space: VectorSpace, vector: Float32Array) => void;
  readonly each: (space: VectorSpace, take: (passage: number, vector: Float32Array) => void) => void;
  readonly passagesWithout: (space: VectorSpace, limit: number) => readonly number[];
  readonly count: (space: VectorSpace) => number;
  readonly keepOnly: (space: VectorSpace) => void;
  readonly cached: (space: VectorSpace, hash: string) => Float32Array | undefined;
  readonly cache: (space: VectorSpace, hash: string, vector: Float32Array) => void;
  /** Drops vectors that no passage has, but for the latest: a file may come back, as after a checkout. */
  readonly prune: () => void;
}

const keptUnused = 2_000;

/** Vectors by the text they belong to, and which passage has which: `embedding_cache`, `chunks_vec`, `embedding_spaces`. */
export function createVectorRows({ run, first, all, each, inTransaction }: Statements): VectorRows {
  const find = ({ provider, model, providerKey }: VectorSpace): number | undefined => {
    const sql = 'SELECT id FROM embedding_spaces WHERE provider = ? AND model = ? AND provider_key = ?';
    const row = first(sql, provider, model, providerKey);
    return row && toNumber(row[0]);
  };
  const idOf = (space: VectorSpace): number => {
    const sql = 'INSERT INTO embedding_spaces (provider, model, provider_key) VALUES (?, ?, ?) RETURNING id';
    return find(space) ?? toNumber(first(sql, space.provider, space.model, space.providerKey)?.[0]);
  };
  const cache = (space: VectorSpace, hash: string, vector: Float32Array): number => {
    const sql = `INSERT INTO embedding_cache (space, hash, dims, embedding) VALUES (?, ?, ?, ?)
      ON CONFLICT (space, hash) DO UPDATE SET dims = excluded.dims, embedding = excluded.embedding RETURNING id`;
    return toNumber(first(sql, idOf(space), hash, vector.length, toBlob(vector))?.[0]);
  };
  return {
    cache: (space, hash, vector) => void cache(space, hash, vector),
    cached(space, hash) {
      const row = first(
        'SELECT embedding FROM embedding_cache WHERE space = ? AND hash = ?',
        find(space) ?? null,
        hash,
      );
      return row && toVector(toBytes(row[0]));
    },
    set(passage, space, vector) {
      const row = first('SELECT hash FROM chunks WHERE id = ?', passage);
      // It may have been replaced while its vector was on the way.
      if (row === undefined) return;
      inTransaction(() => {
        const embedding = cache(space, String(row[0]), vector);
        run('INSERT OR REPLACE INTO chunks_vec VALUES (?, ?, ?)', passage, idOf(space), embedding);
      });
    },
    each(space, take) {
      const sql = `SELECT chunks_vec.id, embedding_cache.embedding FROM chunks_vec
        JOIN embedding_cache ON embedding_cache.id = chunks_vec.embedding WHERE chunks_vec.space = ?`;
      each(sql, [find(space) ?? null], ([passage, blob]) => {
        const vector = toVector(toBytes(blob));
        if (vector !== undefined) take(toNumber(passage), vector);
      });
    },
    passagesWithout(space, limit) {
      const sql = `SELECT id FROM chunks WHERE id NOT IN (SELECT id FROM chunks_vec WHERE space = ?)
        ORDER BY id LIMIT ?`;
      return all(sql, find(space) ?? null, limit).map(([id]) => toNumber(id));
    },
    count: (space) =>
      toNumber(first('SELECT count(*) FROM chunks_vec WHERE space = ?', find(space) ?? null)?.[0]),
    keepOnly: (space) =>
      inTransaction(() => {
        const kept = idOf(space);
        for (const table of ['chunks_vec', 'embedding_cache'])
          run(`DELETE FROM ${table} WHERE space <> ?`, kept);
        run('DELETE FROM embedding_spaces WHERE id <> ?', kept);
      }),
    prune() {
      const sql = `DELETE FROM embedding_cache WHERE id IN (SELECT id FROM embedding_cache
        WHERE id NOT IN (SELECT embedding FROM chunks_vec) ORDER BY id DESC LIMIT -1 OFFSET ${keptUnused})`;
      run(sql);
    },
  };
}

function toBlob(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** Undefined for one whose numbers are none: comparing with it would give no order. */
function toVector(blob: Uint8Array): Float32Array | undefined {
  const vector = new Float32Array(blob.buffer, blob.byteOffset, blob.byteLength / 4);
  return vector.every(Number.isFinite) ? vector : undefined;
}
