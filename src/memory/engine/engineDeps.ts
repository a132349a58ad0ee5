import type { Clock, FileSystem, HttpClient } from '../../host/ports.ts';
import type { ResolvedEmbedder } from '../embeddings/embedder.ts';
import type { MemoryPlace, MemorySettings } from '../memorySettings.ts';
import type { MemoryEvent } from './memoryEngine.ts';

/** What the engine needs of the machine and of whoever runs it. */
export interface EngineDeps {
  readonly fs: FileSystem;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** See `Processes.startTimeOf`. */
  readonly startTimeOf: (pid: number) => Promise<string | undefined>;
  readonly ownPid: number;
  readonly place: MemoryPlace;
  /** Names whoever starts this engine, also after an earlier one of its own ended without a word. */
  readonly holder: string;
  readonly emit: (event: MemoryEvent) => void;
  /** Lets messages and timers that wait have their turn. */
  readonly breathe: () => Promise<void>;
  /** In place of the chain of `src/memory/embeddings`. */
  readonly resolveEmbedder?: (settings: MemorySettings) => Promise<ResolvedEmbedder>;
}
