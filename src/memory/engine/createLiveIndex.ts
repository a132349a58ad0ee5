import { createLexicalIndex, type LexicalIndex } from '../lexical/createLexicalIndex.ts';
import { unpackTerms } from '../lexical/createPostings.ts';
import { createTermDictionary, type PassageTerms, type TermDictionary } from '../lexical/lexicalTerms.ts';
import type { MemoryStore } from '../store/openStore.ts';
import type { IndexedPassage, NewPassage, StoredFile, VectorSpace } from '../store/rows.ts';

/** Builds from an opened store what is searched. */
export function loadIndex(store: MemoryStore): LiveIndex {
  const dictionary = createTermDictionary(store.terms());
  const lexical = createLexicalIndex(dictionary);
  store.eachTerms(({ passage, terms }) => lexical.add(passage, terms));
  return createLiveIndex({ store, lexical, dictionary });
}

/** One index in use: what is kept, and what is searched. Changes are whole, but for those in slices. */
export interface LiveIndex {
  readonly store: MemoryStore;
  readonly lexical: LexicalIndex;
  readonly dictionary: TermDictionary;
  readonly vectors: VectorTable;
  file(path: string): StoredFile | undefined;
  files(): ReadonlyMap<string, StoredFile>;
  /** The path of a passage's file; undefined for one that is gone. */
  pathOf(passage: number): string | undefined;
  replace(file: StoredFile, passages: readonly NewPassage[]): void;
  /**
   * The same for a file of very many passages, so that no search has to wait for it: one that comes in between may find a part of
   * it. Where `isSuperseded` says so, or the process ends, it stops, and the file counts as never read.
   */
  replaceInSlices(
    file: StoredFile,
    passages: readonly NewPassage[],
    between: { readonly pause: () => Promise<void> | undefined; readonly isSuperseded: () => boolean },
  ): Promise<void>;
  /** The same content under another time, size or label. */
  touch(file: StoredFile): void;
  remove(path: string): void;
  /** Compares by the vectors of this space from now on; undefined: by none. */
  useVectors(space: VectorSpace | undefined): void;
  setVector(passage: number, space: VectorSpace, vector: Float32Array): void;
  close(): void;
}

/** Passages that are changed in one go where there are very many. */
const slice = 20;

interface LiveIndexParts {
  readonly store: MemoryStore;
  readonly lexical: LexicalIndex;
  readonly dictionary: TermDictionary;
}

/** Keeps store, lists and vectors in step. */
function createLiveIndex({ store, lexical, dictionary }: LiveIndexParts): LiveIndex {
  const files = new Map(store.files().map((file) => [file.path, file]));
  let keptTerms = dictionary.size;
  /** Numbers of terms that the store does not hold any more; the dictionary does, for passages that are on the way. */
  const lost = new Set<number>();
  let vectors = createVectorTable();
  // Made by the first search, so that an index that is only kept up to date does without.
  let paths: Map<number, string> | undefined;

  const allPaths = (): Map<number, string> => {
    const all = new Map<number, string>();
    store.eachPath((passage, path) => all.set(passage, path));
    return all;
  };

  const keepTerms = (): void => {
    if (dictionary.size === keptTerms) return;
    const terms: string[] = [];
    for (let id = keptTerms; id < dictionary.size; id++) terms.push(dictionary.term(id) ?? '');
    store.addTerms(keptTerms, terms);
    keptTerms = dictionary.size;
  };

  /** Words that no passage holds are not kept: those of a forgotten file would stay on disk. */
  const loseTerms = ({ packed }: PassageTerms): void =>
    unpackTerms(packed, (id) => {
      if (lost.has(id) || lexical.uses(id)) return;
      lost.add(id);
      store.setTerm(id, '');
    });
  const restoreTerms = ({ packed }: PassageTerms): void => {
    if (lost.size === 0) return;
    unpackTerms(packed, (id) => {
      if (lost.delete(id)) store.setTerm(id, dictionary.term(id) ?? '');
    });
  };

  const take = (path: string, added: readonly number[], passages: readonly NewPassage[]): void => {
    for (const [at, passage] of added.entries()) {
      const terms = passages[at]?.terms;
      if (terms === undefined) continue;
      restoreTerms(terms);
      lexical.add(passage, terms);
      paths?.set(passage, path);
    }
  };

  const drop = (removed: readonly IndexedPassage[]): void => {
    for (const { passage, terms } of removed) {
      lexical.remove(passage, terms);
      loseTerms(terms);
      vectors.remove(passage);
      paths?.delete(passage);
    }
  };

  return {
    store,
    lexical,
    dictionary,
    get vectors() {
      return vectors;
    },
    file: (path) => files.get(path),
    files: () => files,
    pathOf: (passage) => (paths ??= allPaths()).get(passage),
    replace(file, passages) {
      keepTerms();
      const { removed, added } = store.replaceFile(file, passages);
      drop(removed);
      take(file.path, added, passages);
      files.set(file.path, file);
    },
    async replaceInSlices(file, passages, { pause, isSuperseded }) {
      const { path } = file;
      const unread = { ...file, hash: '', modified: 0 };
      if (files.has(path)) store.touchFile(unread);
      else store.replaceFile(unread, []);
      files.set(path, unread);
      for (let isLeft = true; isLeft && !isSuperseded(); await pause()) {
        const removed = store.removePassages(path, slice);
        drop(removed);
        isLeft = removed.length > 0;
      }
      for (let at = 0; at < passages.length && !isSuperseded(); at += slice, await pause()) {
        const some = passages.slice(at, at + slice);
        keepTerms();
        take(path, store.addPassages(path, some), some);
      }
      if (isSuperseded()) return;
      store.touchFile(file);
      files.set(path, file);
    },
    touch(file) {
      store.touchFile(file);
      files.set(file.path, file);
    },
    remove(path) {
      drop(store.removeFile(path));
      files.delete(path);
    },
    useVectors(space) {
      vectors = createVectorTable();
      if (space === undefined) return;
      store.eachVector(space, (passage, vector) => vectors.set(passage, vector));
    },
    setVector(passage, space, vector) {
      if (store.passage(passage) === undefined) return;
      store.setVector(passage, space, vector);
      vectors.set(passage, vector);
    },
    close: () => store.close(),
  };
}

interface VectorHit {
  readonly passage: number;
  /** -1 to 1. */
  readonly cosine: number;
}

/** The vectors of all passages in one block of memory, so that comparing with all of them is one run over it. */
interface VectorTable {
  /** One that is there is replaced. Vectors have length 1 and all the same number of dimensions. */
  set(passage: number, vector: Float32Array): void;
  /** One that is not there is no error. */
  remove(passage: number): void;
  /** The nearest, best first, equal ones by number. A smaller limit gives the head of the same list. */
  nearest(query: Float32Array, limit: number, accepts?: (passage: number) => boolean): readonly VectorHit[];
  /** Undefined where the passage has no vector. */
  cosine(passage: number, query: Float32Array): number | undefined;
  readonly size: number;
}

/** Vectors of other dimensions than the first are left out: they come of a model that changed behind its name. */
export function createVectorTable(): VectorTable {
  const rowOf = new Map<number, number>();
  const passages: number[] = [];
  let dimensions = 0;
  let values = new Float32Array(0);

  const rowAt = (row: number): Float32Array => values.subarray(row * dimensions, (row + 1) * dimensions);

  const makeRoom = (): void => {
    if ((passages.length + 1) * dimensions <= values.length) return;
    const grown = new Float32Array(Math.max(64, Math.ceil(passages.length * 1.5)) * dimensions);
    grown.set(values);
    values = grown;
  };

  return {
    set(passage, vector) {
      if (passages.length === 0) dimensions = vector.length;
      if (vector.length !== dimensions) return;
      let row = rowOf.get(passage);
      if (row === undefined) {
        makeRoom();
        row = passages.push(passage) - 1;
        rowOf.set(passage, row);
      }
      values.set(vector, row * dimensions);
    },
    remove(passage) {
      const row = rowOf.get(passage);
      const last = passages.at(-1);
      if (row === undefined || last === undefined) return;
      // The last one takes its place.
      values.set(rowAt(passages.length - 1), row * dimensions);
      passages[row] = last;
      rowOf.set(last, row);
      passages.pop();
      rowOf.delete(passage);
    },
    nearest(query, limit, accepts = () => true) {
      if (query.length !== dimensions) return [];
      const best = createBest(limit);
      for (const [row, passage] of passages.entries()) {
        const cosine = dot(values, row * dimensions, query);
        if (cosine > best.floor() && accepts(passage)) best.add({ passage, cosine });
      }
      return best.take();
    },
    cosine(passage, query) {
      const row = rowOf.get(passage);
      return row === undefined || query.length !== dimensions
        ? undefined
        : dot(values, row * dimensions, query);
    },
    get size() {
      return passages.length;
    },
  };
}

function dot(values: Float32Array, from: number, query: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < query.length; at++) sum += (values[from + at] ?? 0) * (query[at] ?? 0);
  return sum;
}

/** Keeps the best, sorting only now and then. */
function createBest(limit: number): {
  floor(): number;
  add(hit: VectorHit): void;
  take(): readonly VectorHit[];
} {
  let hits: VectorHit[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  const cut = (): void => {
    hits.sort((a, b) => b.cosine - a.cosine || a.passage - b.passage);
    if (hits.length <= limit) return;
    hits = hits.slice(0, limit);
    // Equal ones may still have to come in by their number.
    floor = (hits.at(-1)?.cosine ?? floor) - Number.EPSILON;
  };
  return {
    floor: () => floor,
    add(hit) {
      hits.push(hit);
      if (hits.length >= 2 * limit + 64) cut();
    },
    take() {
      cut();
      return hits;
    },
  };
}
