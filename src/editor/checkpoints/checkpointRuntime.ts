import type { Conversations } from '../../runtime/conversations.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { SessionStore } from '../../sessions/sessionStore.ts';

/** What restoring needs of the runtime. */
export interface CheckpointRuntime {
  readonly turns: Pick<Runtime['turns'], 'checkpoints' | 'running'>;
  readonly conversations: Pick<Conversations, 'fork' | 'rename' | 'summaries'> & {
    readonly sessions: Pick<SessionStore, 'open'>;
  };
  readonly workspace: Pick<Runtime['workspace'], 'folders'>;
}

/** The runtime of this window, loaded at the first need. */
export interface CheckpointSource {
  get(): Promise<CheckpointRuntime>;
}
