import { toBytes, toNumber, toOptionalText, toText } from './columns.ts';
import type { Row, Statements } from './createStatements.ts';
import type { IndexedPassage, NewPassage, StoredFile, StoredPassage } from './memoryStore.ts';
import { packText, unpackText } from './packText.ts';

export interface FileRows {
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

function toPassage(row: Row, path: string, { terms }: IndexedPassage): StoredPassage {
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
