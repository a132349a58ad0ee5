import type { LexicalIndex, TermDictionary } from '../lexical/lexicalIndex.ts';
import type {
  IndexedPassage,
  MemoryStore,
  NewPassage,
  StoredFile,
  VectorSpace,
} from '../store/memoryStore.ts';
import { createVectorTable, type VectorTable } from './createVectorTable.ts';

/** One index in use: what is kept, and what is searched. Changes are whole: no search ever sees half of a file. */
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
  /** The same content under another time, size or label. */
  touch(file: StoredFile): void;
  remove(path: string): void;
  /** Compares by the vectors of this space from now on; undefined: by none. */
  useVectors(space: VectorSpace | undefined): void;
  setVector(passage: number, space: VectorSpace, vector: Float32Array): void;
  close(): void;
}

export interface LiveIndexParts {
  readonly store: MemoryStore;
  readonly lexical: LexicalIndex;
  readonly dictionary: TermDictionary;
}

/** Keeps store, lists and vectors in step. */
export function createLiveIndex({ store, lexical, dictionary }: LiveIndexParts): LiveIndex {
  const files = new Map(store.files().map((file) => [file.path, file]));
  let keptTerms = dictionary.size;
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

  const drop = (removed: readonly IndexedPassage[]): void => {
    for (const { passage, terms } of removed) {
      lexical.remove(passage, terms);
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
      for (const [at, passage] of added.entries()) {
        const terms = passages[at]?.terms;
        if (terms === undefined) continue;
        lexical.add(passage, terms);
        paths?.set(passage, file.path);
      }
      files.set(file.path, file);
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
