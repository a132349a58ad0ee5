import type { SessionHeader, SessionKind } from '../../contracts/sessionEntry.ts';

/** A session as a list shows it. */
export interface SessionSummary {
  readonly id: string;
  readonly key: string;
  readonly kind: SessionKind;
  readonly agentId: string;
  /** The user's name for it, else the first words the user wrote. */
  readonly title: string;
  readonly isNamed: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The last message; a session that only ended since is no younger. */
  readonly updatedAt: number;
  /** As a person counts them: what the user said, and answers. */
  readonly messageCount: number;
  readonly parent?: { readonly sessionId: string; readonly entryId?: string };
  /** On whose behalf it runs. */
  readonly tenant?: SessionHeader['tenant'];
  /** Its last turn was cut off. So it seems of one that runs in this process, too, and of none that runs in another. */
  readonly isInterrupted: boolean;
  /** Another window or program is in a turn of it. */
  readonly runsElsewhere?: true;
  /** Why it can't be opened, or only be read. */
  readonly problem?: string;
  /** Its first line is damaged: `repair` may make it readable. */
  readonly isDamaged?: boolean;
}
