import type { AgentMessage } from './message.ts';

/** First line of a transcript. */
export interface SessionHeader {
  readonly type: 'session';
  readonly version: 1;
  readonly id: string;
  readonly createdAt: number;
  /** Absolute paths of the workspace folders it was opened in. */
  readonly folders: readonly string[];
}

/** Every later line. `parentId` makes the transcript a tree, so that a fork needs no copy. */
export type SessionEntry =
  | {
      readonly type: 'message';
      readonly id: string;
      readonly parentId: string | null;
      readonly message: AgentMessage;
    }
  | {
      readonly type: 'turn';
      readonly id: string;
      readonly parentId: string | null;
      readonly runId: string;
      readonly state: TurnState;
    };

/** A turn that has `started` and no later line is an interrupted one (editor-host: a reload or a killed host). */
export type TurnState = 'started' | 'completed' | 'failed' | 'cancelled';
