import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type {
  MemoryAnswer,
  MemoryFile,
  MemoryProgress,
  MemorySearchOptions,
  MemoryStatus,
  SyncReport,
} from '../memory.ts';
import type { MemorySettings } from '../memorySettings.ts';

/** What the engine tells of itself. */
export type MemoryEvent =
  | { readonly kind: 'changed' }
  | { readonly kind: 'progress'; readonly progress: MemoryProgress | undefined }
  | { readonly kind: 'problem'; readonly diagnostic: Diagnostic };

/**
 * The memory where it runs: in a worker thread, behind messages. Works in slices of a few milliseconds, so that a search that
 * comes in between is answered at once.
 */
export interface MemoryEngine {
  /** The first call opens the index; later ones take effect at once, and read again what they make stale. */
  configure(settings: MemorySettings): Promise<void>;
  search(query: string, options: MemorySearchOptions, signal: AbortSignal): Promise<MemoryAnswer>;
  status(): Promise<MemoryStatus>;
  files(): Promise<readonly MemoryFile[]>;
  find(file: string): Promise<MemoryFile | undefined>;
  readSession(label: string): Promise<string | undefined>;
  sync(options: { readonly rebuild?: boolean }, signal: AbortSignal): Promise<SyncReport>;
  cancel(): Promise<void>;
  changed(paths: readonly string[]): Promise<void>;
  changedBroadly(): Promise<void>;
  turnBegins(): Promise<void>;
  forget(path: string): Promise<void>;
  remember(path: string): Promise<void>;
  close(): Promise<void>;
}
