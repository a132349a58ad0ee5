import type { MemorySettings } from '../memorySettings.ts';
import type { LiveIndex } from './index/createLiveIndex.ts';

/** What the parts of an engine share; each field is set by the one part that its line names. */
export interface EngineState {
  /** By `configure`. */
  settings: MemorySettings;
  /** What answers now: by the opening, by a rebuild, and by following the writer. */
  index: LiveIndex;
  /** By `createRoles`. */
  role: 'writing' | 'reading';
  /** The last finished look at all files, in milliseconds; by the work on the index. */
  lastSync: { readonly at: number; readonly tookMs: number } | undefined;
  /** Files that the last look found changed and did not read, since it was stopped; by the work on the index. */
  unread: number;
  /** When the last look ended, finished or not; by the work on the index. */
  lastTry: number;
  /** True once somebody has told of a change; by `createMemoryEngine`. */
  isWatched: boolean;
}
