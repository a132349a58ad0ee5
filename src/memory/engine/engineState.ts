import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { Clock, FileSystem, HttpClient } from '../../host/ports.ts';
import type { AskPluginEmbedder } from '../embeddings/createPluginEmbedder.ts';
import type { FindContext } from '../files/fileTree.ts';
import type { MemoryProgress } from '../memory.ts';
import type { MemoryPlace, MemorySettings } from '../memorySettings.ts';
import type { LiveIndex } from './createLiveIndex.ts';

/** What the engine needs of the machine and of whoever runs it. */
export interface EngineDeps {
  readonly fs: FileSystem;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
  /** See `Processes.startTimeOf`. */
  readonly startTimeOf: (pid: number) => Promise<string | undefined>;
  readonly ownPid: number;
  readonly place: MemoryPlace;
  /** Names this engine among those of the process, and those that have ended without giving back what they held. */
  readonly instance: string;
  readonly endedInstances: readonly string[];
  readonly emit: (event: MemoryEvent) => void;
  /** Absent, there are no plugins. */
  readonly askPluginEmbedder?: AskPluginEmbedder;
  /** Resolves when the messages and timers that wait have had their turn. */
  readonly yieldToEventLoop: () => Promise<void>;
}

/** What the engine tells of itself. */
export type MemoryEvent =
  | { readonly kind: 'changed' }
  | { readonly kind: 'progress'; readonly progress: MemoryProgress | undefined }
  | { readonly kind: 'problem'; readonly diagnostic: Diagnostic };

/** What the parts of an engine share; each field is set by the one part that its line names. */
export interface EngineState {
  /** By `configure`. */
  settings: MemorySettings;
  /** What answers now: by the opening, by a rebuild, and by following the writer. */
  index: LiveIndex;
  /** By `createRoles`. */
  role: 'writing' | 'reading';
  /** The last finished scan, in milliseconds; by the work on the index. */
  lastSync: { readonly at: number; readonly tookMs: number } | undefined;
  /** Files that the last scan found changed and did not read, since it was stopped; by the work on the index. */
  unread: number;
  /** When the last scan ended, finished or not; by the work on the index. */
  lastTry: number;
  /** True once somebody has told of a change; by `createMemoryEngine`. */
  isWatched: boolean;
}

/** What finding files needs; Pincer's own state is never part of the memory. */
export function findContext({ fs, platform, place }: EngineDeps, settings: MemorySettings): FindContext {
  return { fs, platform, settings, stateFolders: [place.folder, settings.sessionsFolder] };
}
