import { unpackTerms } from '../../lexical/createPostings.ts';
import type { LexicalIndex } from '../../lexical/createLexicalIndex.ts';
import type { PassageTerms, TermDictionary } from '../../lexical/lexicalTerms.ts';
import type { MemoryStore } from '../../store/openStore.ts';
import type { IndexedPassage, NewPassage, StoredFile, VectorSpace } from '../../store/rows.ts';
import { createVectorTable, type VectorTable } from './createVectorTable.ts';

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

export interface LiveIndexParts {
  readonly store: MemoryStore;
  readonly lexical: LexicalIndex;
  readonly dictionary: TermDictionary;
}

/** Keeps store, lists and vectors in step. */
export function createLiveIndex({ store, lexical, dictionary }: LiveIndexParts): LiveIndex {
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
