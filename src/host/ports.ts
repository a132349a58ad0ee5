import type { ListenForBrowser } from './browserReturn.ts';
import type { Event } from '../base/event.ts';
import type { Network } from './network.ts';
import type { Processes } from './processes.ts';
import type { Workers } from './workers.ts';

/** What inner code may ask of the machine. `node/` talks to the real one, `memory/` is for tests. */
export interface Host {
  readonly network: Network;
  readonly processes: Processes;
  readonly workers: Workers;
  readonly fs: FileSystem;
  readonly http: HttpClient;
  readonly listenForBrowser: ListenForBrowser;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly userHome: string;
  /** Environment variables as they were at start; never written. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface FileStat {
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtimeMs: number;
  /** Hard links to the file; more than one may expose a file outside the workspace. */
  readonly links: number;
  /** Unix permission bits and owner; undefined where the platform has none. */
  readonly mode: number | undefined;
  readonly uid: number | undefined;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileStat['kind'];
}

/** Who may read what is written: `private` is the user alone, on platforms whose files have permission bits. */
export type FileAccess = 'usual' | 'private';

/** A file below a folder that the user opened; none of the names below `root` may be a link. Both are absolute. */
export interface ExactPath {
  readonly root: string;
  readonly path: string;
}

/** New content that lies beside its place. */
export interface StagedFile {
  /** Puts it into its place, in one step. */
  commit(): Promise<void>;
  /** Takes it away again; after `commit` it does nothing. */
  discard(): Promise<void>;
}

/** Absolute paths in the platform's own form. Every method rejects with a `PincerError` `io_*` unless it says otherwise. */
export interface FileSystem {
  /** Refuses (`io_too_large`) rather than load more than `maxBytes`. Opens without blocking: a FIFO is `io_not_a_file`. */
  readFile(path: string, maxBytes?: number): Promise<Uint8Array>;
  /** The same as UTF-8 text. */
  readText(path: string, maxBytes?: number): Promise<string>;
  /**
   * Temp file in the same folder, fsync, rename; makes missing parents; keeps the permission bits of a file it replaces, of
   * which `private` leaves the owner's. `access` goes for the parents, too.
   */
  writeFile(path: string, content: string | Uint8Array, access?: FileAccess): Promise<void>;
  /** Writes a file that must not be there yet, in one step; false where it is. Makes missing parents. */
  createFile(path: string, content: string, access?: FileAccess): Promise<boolean>;
  /** Appends in one write and makes missing parents. */
  append(path: string, text: string, access?: FileAccess): Promise<void>;
  /** The same, and safely on disk once it resolves: what power loss must not take back. */
  appendDurably(path: string, text: string, access?: FileAccess): Promise<void>;
  /** At most `length` bytes from byte `start` on; fewer where the file ends, none behind its end. */
  readRange(path: string, start: number, length: number): Promise<Uint8Array>;
  /** Follows links; undefined where nothing is there. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Does not follow the last link; undefined where nothing is there. */
  lstat(path: string): Promise<FileStat | undefined>;
  /**
   * What tells the present state of a file or folder from any later one, empty where nothing is there; follows links. For a folder
   * that is which names it has. What is being changed in this very moment is waited for, for some milliseconds. Never rejects.
   */
  stamp(path: string): Promise<string>;
  /** The same for many paths, without any wait. */
  stamps(paths: readonly string[]): Promise<readonly string[]>;
  realpath(path: string): Promise<string>;
  readDirectory(path: string): Promise<readonly DirectoryEntry[]>;
  makeDirectory(path: string, access?: FileAccess): Promise<void>;
  /** Removes a file or a whole folder; nothing there is no error. */
  remove(path: string): Promise<void>;
  /** Refuses (`io_moved`, `io_hard_link`) what is not the only name of a file that really lies there. */
  readExact(path: ExactPath, maxBytes?: number): Promise<Uint8Array>;
  /**
   * Writes beside the file and makes missing folders; refuses (`io_moved`) where a folder is a link. `mode` is what a new file
   * gets, default what new files usually have.
   */
  stageExact(path: ExactPath, content: string | Uint8Array, mode?: number): Promise<StagedFile>;
  /** Removes a file that really lies there. */
  removeExact(path: ExactPath): Promise<void>;
  /** Removes a folder that really lies there; one that is gone or not empty is left as it is. */
  removeEmptyExact(path: ExactPath): Promise<void>;
}

export interface HttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  header(name: string): string | undefined;
  /** Decoded text as it arrives. */
  readonly text: AsyncIterable<string>;
}

/** Follows no redirects. Rejects with `http_failed` when no answer came, `cancelled` when the signal aborted. */
export interface HttpClient {
  send(request: HttpRequest): Promise<HttpResponse>;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only grow, for durations. */
  monotonic(): number;
  /** Calls once after `ms`; the return value cancels it. A pending timer does not keep the process alive. */
  after(ms: number, call: () => void): () => void;
}

/** Whether somebody has the front end before them: what waits for a person is not lost while nobody looks. */
export interface Attention {
  isWatched(): boolean;
  readonly onDidChange: Event<void>;
}

/** Named secrets; undefined where none is stored. Values are never logged. */
export interface Secrets {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
  /** Fires with the name of what was stored or deleted, by whichever window. */
  readonly onDidChange: Event<string>;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface Log {
  /** `by` names the plugin whose own words these are. */
  write(level: LogLevel, message: string, by?: string): void;
}
