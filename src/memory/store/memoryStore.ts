import type { MemorySource } from '../../config/sections/memorySources.ts';
import type { PassageTerms } from '../lexical/lexicalTerms.ts';

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

export interface IndexedPassage {
  readonly passage: number;
  readonly terms: PassageTerms;
}

/**
 * `new`: there was no file. `unusable`: there was one that can't be used, `problem` says why; it is left where it is until a save.
 */
export interface OpenedStore {
  readonly store: MemoryStore;
  readonly state: 'loaded' | 'new' | 'unusable';
  readonly problem?: string;
}
