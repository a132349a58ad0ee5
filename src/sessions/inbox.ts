import type { Event } from '../base/event.ts';

/**
 * What the user said while a turn was running and nobody has read yet. `steer` is read at the next steering point: after a tool
 * call or before the next model call. `followUp` waits until the turn would end.
 */
export interface WaitingMessage {
  readonly id: string;
  readonly kind: 'steer' | 'followUp';
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Absent, the user said it. */
  readonly from?: 'agent';
}

/**
 * The waiting messages of every session, kept beside the transcripts so that they survive a crash. A message that was taken is
 * gone from the file only when the transcript holds it: `take` gives it out, `settle` forgets it.
 */
export interface Inbox {
  /** In the order they will be read. */
  list(sessionId: string): readonly WaitingMessage[];
  /** Ids of the sessions that this process knows to have some waiting, whether a turn of them runs or not. */
  sessions(): readonly string[];
  /** Reads what a session has waiting from disk; to be called when the session is opened. */
  open(sessionId: string): Promise<readonly WaitingMessage[]>;
  /** Resolves once it is on disk. @throws PincerError `inbox_full`, `inbox_empty_text`, `inbox_text_too_long`, `session_unknown` */
  add(
    sessionId: string,
    kind: WaitingMessage['kind'],
    text: string,
    from?: WaitingMessage['from'],
  ): Promise<WaitingMessage>;
  /** False where it no longer waits: it was read meanwhile. @throws PincerError `inbox_empty_text`, `inbox_text_too_long` */
  edit(
    sessionId: string,
    id: string,
    change: { readonly text?: string; readonly kind?: WaitingMessage['kind'] },
  ): Promise<boolean>;
  remove(sessionId: string, id: string): Promise<boolean>;
  /** Puts a message in front of another one of its kind; null puts it last. */
  move(sessionId: string, id: string, before: string | null): Promise<boolean>;
  /** Gives out the waiting ones of a kind, all for `steer`, the first for `followUp`; they can no longer be edited. */
  take(sessionId: string, kind: WaitingMessage['kind']): readonly WaitingMessage[];
  /** They were not read after all, since the turn ended: they wait again, where they were. */
  release(sessionId: string, ids: readonly string[]): void;
  /** The transcript holds them now. */
  settle(sessionId: string, ids: readonly string[]): Promise<void>;
  /** Nothing of the session stays. */
  removeSession(sessionId: string): Promise<void>;
  /** Names the session whose messages changed. */
  readonly onDidChange: Event<string>;
}
