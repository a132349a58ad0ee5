import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { MemorySource } from '../config/sections/memorySources.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';

/** A passage that was found. Its texts are whatever a file says: untrusted. */
export interface MemoryHit {
  /** Absolute path of the file. */
  readonly path: string;
  /**
   * The path as people read and cite it: relative to its folder with forward slashes, with the folder's name before it where
   * there are several; `sessions/<id>.jsonl` for what was said.
   */
  readonly label: string;
  readonly source: MemorySource;
  /** 1-based, both included. */
  readonly startLine: number;
  readonly endLine: number;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
  /** The whole passage. */
  readonly text: string;
  /** 0 to 1, comparable within one search only. */
  readonly score: number;
  /** ISO day of the note: of its name or front matter, else of the file's last change. */
  readonly date: string;
  readonly why: ScoreParts;
}

/** Where a score comes from. Everything 0 to 1 unless it says otherwise. */
export interface ScoreParts {
  /** What the words brought; absent where none of them occurs. `bm25` is above 0 without a limit. */
  readonly text?: { readonly score: number; readonly bm25: number; readonly terms: readonly TermScore[] };
  /** What the meaning brought; absent where there are no embeddings. */
  readonly vector?: { readonly score: number; readonly cosine: number };
  /** What the weights made of both, before the age was looked at. */
  readonly weighted: number;
  /** What the age multiplies each leg by: 1 for a note without a date. */
  readonly decay: number;
  readonly ageInDays?: number;
  /** What a more relevant near copy took away from the order (MMR); 0 where there is none. */
  readonly similarity: number;
  /** Set where the query names this file or id: such hits stand first. */
  readonly exact?: 'file' | 'id';
}

/** What one word of the query brought. */
export interface TermScore {
  /** As the index knows it: a stem, a part of an identifier, or a pair of CJK characters. */
  readonly term: string;
  readonly bm25: number;
}

/** Why the meaning of texts is or is not compared. */
export interface VectorState {
  /** `failing`: the last attempt went wrong, and the answer is made of the text alone. */
  readonly state: 'on' | 'off' | 'failing';
  /** `openai`, `local`, …; undefined where none is used. */
  readonly provider?: string;
  readonly model?: string;
  /** One sentence for people; always there unless `on`. */
  readonly reason?: string;
  /** Passages that have a vector, and that should have one. */
  readonly embedded: number;
  readonly total: number;
}

export interface MemorySearchOptions {
  /** Default from the config. The answer with 1 is the head of the answer with 20. */
  readonly maxResults?: number;
  /** Default from the config, for hybrid scores only. */
  readonly minScore?: number;
  readonly sources?: readonly MemorySource[];
  /** Globs of labels; only these files count. */
  readonly files?: readonly string[];
  /**
   * How long to wait at most for changes that are known and not yet indexed and for a full scan that is going on, in
   * milliseconds; default 0. The answer says what was still missing.
   */
  readonly waitMs?: number;
}

export interface MemoryAnswer {
  /** Best first. */
  readonly hits: readonly MemoryHit[];
  readonly mode: 'text' | 'hybrid';
  readonly vector: VectorState;
  /** What was being indexed while this was answered; absent when all was. */
  readonly indexing?: MemoryProgress;
  /** Milliseconds that the search itself took. */
  readonly tookMs: number;
}

export interface MemoryProgress {
  readonly phase: 'scan' | 'index' | 'embed';
  readonly done: number;
  /** Undefined while it is still being counted. */
  readonly total?: number;
}

/** One indexed file, or one that should be. */
export interface MemoryFile {
  readonly path: string;
  readonly label: string;
  readonly source: MemorySource;
  readonly passages: number;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
  /**
   * `indexed`; `stale`: it is new or changed, and is going to be read; `left-out`: it can't be read or is too large, `reason` says
   * why; `forgotten`: the user took it out.
   */
  readonly state: 'indexed' | 'stale' | 'left-out' | 'forgotten';
  readonly reason?: string;
}

export interface MemoryStatus {
  readonly isEnabled: boolean;
  readonly files: number;
  readonly passages: number;
  /** Of the index file on disk; 0 before the first save. */
  readonly bytes: number;
  /** Absolute path of the index file. */
  readonly indexPath: string;
  /** Files known to be changed and not yet read. */
  readonly stale: number;
  /** When a full scan was last finished; milliseconds since the epoch. */
  readonly lastSync?: number;
  readonly lastSyncMs?: number;
  /** `reading`: another window keeps the index, and this one follows it. */
  readonly role: 'writing' | 'reading';
  readonly generation: number;
  readonly vector: VectorState;
  readonly progress?: MemoryProgress;
  readonly problems: readonly Diagnostic[];
}

export interface SyncReport {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly leftOut: number;
  readonly passages: number;
  readonly tookMs: number;
}

/**
 * The memory of a workspace: an index over its markdown, kept in a thread of its own. Texts that come out of it are untrusted.
 * Every method starts the thread where it does not run yet, and rejects with `memory_disabled` where the config switches the
 * memory off, `cancelled` where the signal aborted, `memory_stopped` where the thread ended.
 */
export interface Memory extends Disposable {
  /** Any text is a valid query. Never waits for a whole reindex. */
  search(query: string, options?: MemorySearchOptions, signal?: AbortSignal): Promise<MemoryAnswer>;
  status(): Promise<MemoryStatus>;
  files(): Promise<readonly MemoryFile[]>;
  /** The file that a label or an absolute path names, where the index is configured to hold it. */
  find(file: string): Promise<MemoryFile | undefined>;
  /** What was said in a session, as the index holds it; undefined where it is not indexed. */
  readSession(label: string): Promise<string | undefined>;
  /** A full scan: reads what changed; `rebuild` reads everything again while the old index answers. */
  sync(options?: { readonly rebuild?: boolean }, signal?: AbortSignal): Promise<SyncReport>;
  /** Stops the scan, whoever asked for it; what is indexed stays, and the next one goes on. Does not start the thread. */
  cancel(): void;
  /** Files were saved, created or removed. Cheap; read after a short pause, in one go. Does not start the thread. */
  changed(paths: readonly string[]): void;
  /** Many files may have changed, such as by a checkout: scans all of them, soon. Does not start the thread. */
  changedBroadly(): void;
  /**
   * What is asked next may be about files that changed though nobody told: checks those that are indexed, and searches wait for that
   * as for known changes. Does not start the thread.
   */
  turnBegins(): void;
  /** Takes a file out and keeps it out, until `remember`. */
  forget(path: string): Promise<void>;
  remember(path: string): Promise<void>;
  /** What is being done now; undefined when nothing is. Does not start the thread. */
  progress(): MemoryProgress | undefined;
  /** Fires when the index, its state or the progress changed, at most ten times a second. */
  readonly onDidChange: Event<void>;
  /** Saves and ends the thread; resolves when nothing is written any more. */
  close(): Promise<void>;
}

/** `docs/setup.md#L12-L20`, as `memory_search` cites a passage. */
export function citationOf(hit: Pick<MemoryHit, 'label' | 'startLine' | 'endLine'>): string {
  return `${hit.label}#L${String(hit.startLine)}-L${String(hit.endLine)}`;
}
