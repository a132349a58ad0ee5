import type { Checkpoints } from '../../checkpoints/checkpoints.ts';
import type { SessionStore } from '../../sessions/sessionStore.ts';

/** What restoring needs of the runtime. */
export interface CheckpointRuntime {
  readonly checkpoints: Checkpoints;
  readonly sessions: Pick<SessionStore, 'open' | 'fork'>;
  folders(): readonly string[];
  runningTurns(): number;
}

/** The runtime of this window, loaded at the first need. */
export interface CheckpointSource {
  get(): Promise<CheckpointRuntime>;
}
