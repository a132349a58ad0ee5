// What every part of an engine is handed: the machine, the state, slices of work, what is wrong, how far it is.
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { createThrottle } from '../../host/createThrottle.ts';
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
  /** Lets messages and timers that wait have their turn. */
  readonly breathe: () => Promise<void>;
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
  /** The last finished look at all files, in milliseconds; by the work on the index. */
  lastSync: { readonly at: number; readonly tookMs: number } | undefined;
  /** Files that the last look found changed and did not read, since it was stopped; by the work on the index. */
  unread: number;
  /** When the last look ended, finished or not; by the work on the index. */
  lastTry: number;
  /** True once somebody has told of a change; by `createMemoryEngine`. */
  isWatched: boolean;
}

/** What finding files needs; Pincer's own state is never part of the memory. */
export function findContext({ fs, platform, place }: EngineDeps, settings: MemorySettings): FindContext {
  return { fs, platform, settings, stateFolders: [place.folder, settings.sessionsFolder] };
}

/** Longest piece of work between two looks at what waits, in milliseconds. */
const sliceMs = 8;

/** Cuts long work into slices: `await` it often, it mostly gives nothing to wait for. */
export interface Breather {
  pause(): Promise<void> | undefined;
}

/** `breathe` lets messages and timers that wait have their turn. */
export function createBreather(clock: Clock, breathe: () => Promise<void>): Breather {
  let since = clock.monotonic();
  const rest = async (): Promise<void> => {
    await breathe();
    since = clock.monotonic();
  };
  return { pause: () => (clock.monotonic() - since < sliceMs ? undefined : rest()) };
}

/** What is wrong now, by what it is about: a problem that is solved goes. */
export interface Problems {
  /** Undefined or an empty list: there is none any more. */
  set(about: string, problems: Diagnostic | readonly Diagnostic[] | undefined): void;
  all(): readonly Diagnostic[];
}

/** `onNew` is told of each problem once, for as long as it stays the same. */
export function createProblems(onNew: (problem: Diagnostic) => void): Problems {
  const byAbout = new Map<string, readonly Diagnostic[]>();
  return {
    set(about, problems) {
      const before = new Set(byAbout.get(about)?.map(({ message }) => message));
      const now = problems === undefined ? [] : 'code' in problems ? [problems] : problems;
      byAbout.set(about, now);
      for (const each of now) if (!before.has(each.message)) onNew(each);
    },
    all: () => [...byAbout.values()].flat(),
  };
}

/** What is being done. Indexing stands before embedding, which goes on behind it. */
export interface ProgressKeeper {
  indexing(progress: MemoryProgress | undefined): void;
  embedding(progress: MemoryProgress | undefined): void;
  current(): MemoryProgress | undefined;
  isIndexing(): boolean;
  close(): void;
}

/** `tell` is called at most ten times a second, and last with what is then. */
export function createProgress(
  clock: Clock,
  tell: (progress: MemoryProgress | undefined) => void,
): ProgressKeeper {
  let indexing: MemoryProgress | undefined;
  let embedding: MemoryProgress | undefined;
  const current = (): MemoryProgress | undefined => indexing ?? embedding;
  const throttle = createThrottle(clock, 100, () => tell(current()));
  return {
    indexing(progress) {
      indexing = progress;
      throttle.request();
    },
    embedding(progress) {
      if (progress === undefined && embedding === undefined) return;
      embedding = progress;
      throttle.request();
    },
    current,
    isIndexing: () => indexing !== undefined,
    close: () => throttle.cancel(),
  };
}
