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
export interface ProgressReporter {
  indexing(progress: MemoryProgress | undefined): void;
  embedding(progress: MemoryProgress | undefined): void;
  current(): MemoryProgress | undefined;
  close(): void;
}

/** Calls `report` at most ten times a second, the last time with the final state. */
export function createProgress(
  clock: Clock,
  report: (progress: MemoryProgress | undefined) => void,
): ProgressReporter {
  let indexing: MemoryProgress | undefined;
  let embedding: MemoryProgress | undefined;
  const current = (): MemoryProgress | undefined => indexing ?? embedding;
  const throttle = createThrottle(clock, 100, () => report(current()));
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
    close: () => throttle.cancel(),
  };
}

/** Longest piece of work between two yields to the event loop, in milliseconds. */
const sliceMs = 8;

/** Cuts long work into slices: `await` it often, it mostly gives nothing to wait for. */
export interface Yielder {
  yieldIfDue(): Promise<void> | undefined;
}

export function createYielder(clock: Clock, yieldToEventLoop: () => Promise<void>): Yielder {
  let since = clock.monotonic();
  const yieldNow = async (): Promise<void> => {
    await yieldToEventLoop();
    since = clock.monotonic();
  };
  return { yieldIfDue: () => (clock.monotonic() - since < sliceMs ? undefined : yieldNow()) };
}
