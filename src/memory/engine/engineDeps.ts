import type { Clock, FileSystem, HttpClient } from '../../host/ports.ts';
import type { MemoryPlace } from '../memorySettings.ts';
import type { MemoryEvent } from './memoryEngine.ts';

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
  /** Lets messages and timers that wait have their turn. */
  readonly breathe: () => Promise<void>;
}
