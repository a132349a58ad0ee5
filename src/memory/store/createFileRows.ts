import { toBytes, toNumber, toOptionalText, toText } from './columns.ts';
import type { Row, Statements } from './createStatements.ts';
import { packText, unpackText } from './packText.ts';
import type { IndexedPassage, MemoryStore, NewPassage, StoredFile, StoredPassage } from './memoryStore.ts';

export interface FileRows {
  all(): readonly StoredFile[];
  replace: MemoryStore['replaceFile'];
  touch: MemoryStore['touchFile'];
  remove: MemoryStore['removeFile'];
  passage: MemoryStore['passage'];
  passagesOf: MemoryStore['passagesOf'];
  eachTerms: MemoryStore['eachTerms'];
  passagesByFile: MemoryStore['passagesByFile'];
}

const passageColumns = `
  chunks.id, path, start_line, end_line, headings, text, chunks.hash, terms, length
  FROM chunks JOIN files ON files.id = file JOIN chunks_fts ON chunks_fts.id = chunks.id`;

const fileColumns = 'label = ?, source = ?, hash = ?, mtime = ?, size = ?, date = ?, left_out = ?';

/** Files, their passages and the passages' terms: `files`, `chunks` and `chunks_fts`. */
export function createFileRows({ run, first, all, each, inTransaction }: Statements): FileRows {
  let lastPassage = toNumber(first('SELECT max(id) FROM chunks')?.[0]);

  const idOf = (path: string): number | undefined => {
    const row = first('SELECT id FROM files WHERE path = ?', path);
    return row && toNumber(row[0]);
  };
  const touch = (file: StoredFile): void => {
    run(`UPDATE files SET ${fileColumns} WHERE path = ?`, ...valuesOf(file), file.path);
  };
  const addFile = (file: StoredFile): number => {
    const sql =
      'INSERT INTO files (label, source, hash, mtime, size, date, left_out, path) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id';
    return toNumber(first(sql, ...valuesOf(file), file.path)?.[0]);
  };
  const addPassage = (file: number, passage: NewPassage): number => {
    const { startLine, endLine, headings, text, hash, terms } = passage;
    const packed = packText(text);
    lastPassage += 1;
    const json = JSON.stringify(headings);
    run(
      'INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)',
      lastPassage,
      file,
      startLine,
      endLine,
      hash,
      json,
      packed,
    );
    run('INSERT INTO chunks_fts VALUES (?, ?, ?)', lastPassage, terms.length, terms.packed);
    return lastPassage;
  };
  /** Passages of a file and all that hangs on them. */
  const removePassages = (file: number): readonly IndexedPassage[] => {
    const removed = all(
      'SELECT chunks_fts.id, length, terms FROM chunks JOIN chunks_fts ON chunks_fts.id = chunks.id WHERE file = ?',
      file,
    ).map(toIndexed);
    for (const table of ['chunks_vec', 'chunks_fts'])
      run(`DELETE FROM ${table} WHERE id IN (SELECT id FROM chunks WHERE file = ?)`, file);
    run('DELETE FROM chunks WHERE file = ?', file);
    return removed;
  };
  return {
    touch,
    all: () =>
      all('SELECT path, label, source, hash, mtime, size, date, left_out FROM files ORDER BY path').map(
        toFile,
      ),
    replace: (file, passages) =>
      inTransaction(() => {
        const known = idOf(file.path);
        const removed = known === undefined ? [] : removePassages(known);
        if (known !== undefined) touch(file);
        const id = known ?? addFile(file);
        return { removed, added: passages.map((passage) => addPassage(id, passage)) };
      }),
    remove: (path) =>
      inTransaction(() => {
        const id = idOf(path);
        if (id === undefined) return [];
        const removed = removePassages(id);
        run('DELETE FROM files WHERE id = ?', id);
        return removed;
      }),
    passage(passage) {
      const row = first(`SELECT ${passageColumns} WHERE chunks.id = ?`, passage);
      return row && toPassage(row);
    },
    passagesOf: (path) =>
      all(`SELECT ${passageColumns} WHERE path = ? ORDER BY chunks.id`, path).flatMap(
        (row) => toPassage(row) ?? [],
      ),
    eachTerms: (take) =>
      each('SELECT id, length, terms FROM chunks_fts ORDER BY id', [], (row) => take(toIndexed(row))),
    passagesByFile() {
      const sql =
        'SELECT path, count(chunks.id) FROM files LEFT JOIN chunks ON file = files.id GROUP BY files.id';
      return new Map(all(sql).map(([path, count]) => [toText(path), toNumber(count)]));
    },
  };
}

function valuesOf(file: StoredFile): readonly (string | number | null)[] {
  const { label, source, hash, modified, bytes, date = null, leftOut = null } = file;
  return [label, source, hash, modified, bytes, date, leftOut];
}

function toFile([path, label, source, hash, modified, bytes, date, leftOut]: Row): StoredFile {
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

function toIndexed([passage, length, terms]: Row): IndexedPassage {
  return { passage: toNumber(passage), terms: { packed: toBytes(terms), length: toNumber(length) } };
}

/** Undefined where its text can't be read. */
function toPassage([passage, path, startLine, endLine, headings, packed, hash, terms, length]: Row):
  StoredPassage | undefined {
  const text = unpackText(toBytes(packed));
  if (text === undefined) return undefined;
  return {
    text,
    passage: toNumber(passage),
    path: toText(path),
    startLine: toNumber(startLine),
    endLine: toNumber(endLine),
    headings: (JSON.parse(toText(headings)) as unknown[]).map(String),
    hash: toText(hash),
    terms: { packed: toBytes(terms), length: toNumber(length) },
  };
}
