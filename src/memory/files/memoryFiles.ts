import type { MemorySource } from '../../config/sections/memorySources.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { MemorySettings } from '../memorySettings.ts';

/** What decides which files belong to the memory. */
export type FileSettings = Pick<
  MemorySettings,
  'roots' | 'include' | 'exclude' | 'extraPaths' | 'sources' | 'sessionsFolder'
>;

/** A file that the index should hold. */
export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  readonly label: string;
  readonly source: MemorySource;
  readonly bytes: number;
  /** Whole milliseconds since the epoch. */
  readonly modified: number;
  /** The path without any link, as it was when the file was found: what is read must still lie there. */
  readonly realPath?: string;
}

export interface FindResult {
  readonly files: readonly FoundFile[];
  /** What could not be looked at: unreadable folders, too many files. */
  readonly problems: readonly Diagnostic[];
}

/** What is to be done so that the index holds what was found. Pure data. */
export interface SyncPlan {
  /** New ones and those whose size, time or label differ; nearest to the top of their folder first. */
  readonly read: readonly FoundFile[];
  /** Absolute paths. */
  readonly remove: readonly string[];
  readonly unchanged: number;
}

/** What a file says, as a text to cut into passages. */
export type ReadResult =
  | { readonly kind: 'text'; readonly text: string; readonly hash: string; readonly file: FoundFile }
  /** It is there and can't be indexed; the end of a sentence: `it is larger than 10 MB`. */
  | { readonly kind: 'left-out'; readonly reason: string; readonly file: FoundFile }
  | { readonly kind: 'gone' };
