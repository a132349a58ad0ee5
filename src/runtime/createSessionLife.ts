import { errorMessage } from '../base/errors.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { SessionEndEvent, SessionEndReason } from '../hooks/payloads/sessionHooks.ts';
import type { Clock, Log } from '../host/ports.ts';
import type { Ghost, OpenMarks } from '../sessions/openMarks.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';

/**
 * Tells plugins and transcripts when sessions begin and end. A session begins with its first turn in this process and ends once
 * for each time that it began. (`compaction` is never a reason here: it ends no session.)
 */
export interface SessionLife {
  /** Before each turn; fires `session_start` the first time. */
  touch(session: Session): void;
  /** The user starts over: `before_reset`, then `session_end`. `next` is the session that comes instead, where it is known. */
  reset(session: Session, reason: 'new' | 'reset', next?: Session): Promise<void>;
  /** It ends for another reason: a rule for pauses, or it is deleted. */
  end(session: Session, reason: 'idle' | 'daily' | 'deleted', next?: Session): Promise<void>;
  /** Ends every session that began here. */
  endAll(reason: SessionEndReason): Promise<void>;
  /** Ends what a dead process left open, with the reason `unknown`; for the start, once plugins listen. Never rejects. */
  closeGhosts(): Promise<void>;
}

export interface SessionLifeParts {
  readonly hooks: HookRunner;
  readonly clock: Clock;
  /** Called when a session was reset or is deleted, after its hooks. */
  readonly cleanUp: (sessionKey: string, how: 'reset' | 'delete') => Promise<void>;
  /** Absent, sessions leave no trace of their end on disk. */
  readonly disk?: {
    readonly marks: OpenMarks;
    readonly sessions: Pick<SessionStore, 'open'>;
    readonly log: Log;
  };
}

export function createSessionLife({ hooks, clock, cleanUp, disk }: SessionLifeParts): SessionLife {
  const begun = new Map<Session, number>();

  /** A full disk keeps nobody from ending. */
  const writeEnd = async (session: Session, reason: SessionEndReason): Promise<void> => {
    if (session.isNew || session.problem !== undefined) return;
    try {
      await session.markEnd(reason);
    } catch (error) {
      disk?.log.write(
        'error',
        `The end of session ${session.id} could not be stored: ${errorMessage(error)}`,
      );
    }
  };

  const fireEnd = async (
    session: Session,
    event: Partial<SessionEndEvent>,
    next?: Session,
  ): Promise<void> => {
    if (!hooks.has('session_end')) return;
    const full = {
      sessionId: session.id,
      sessionKey: session.key,
      messageCount: session.messages().length,
      ...event,
      ...fileOf(session),
      ...(next === undefined ? {} : { nextSessionId: next.id, nextSessionKey: next.key }),
    };
    await hooks.observe('session_end', full, contextOf(session));
  };

  const leaveTrace = async (session: Session, reason: SessionEndReason): Promise<void> => {
    if (disk === undefined) return;
    // What is deleted needs no end: its file goes.
    if (reason !== 'deleted') await writeEnd(session, reason);
    await disk.marks.release(session.id);
  };

  const end = async (session: Session, reason: SessionEndReason, next?: Session): Promise<void> => {
    const startedAt = begun.get(session);
    if (startedAt === undefined) return;
    begun.delete(session);
    const durationMs = clock.monotonic() - startedAt;
    // At once: a plugin's time to end is short, and none of it is spent on waiting for the disk.
    await Promise.all([fireEnd(session, { durationMs, reason }, next), leaveTrace(session, reason)]);
  };

  const endGhost = async ({ sessionId, since }: Ghost): Promise<void> => {
    const session = await disk?.sessions.open(sessionId);
    // Taken up again meanwhile, or it died after it had ended.
    if (session === undefined || begun.has(session) || session.entries().at(-1)?.type === 'end') return;
    const last = session.entries().findLast((entry) => entry.type === 'message')?.message.timestamp;
    await writeEnd(session, 'unknown');
    const duration = last === undefined || last < since ? {} : { durationMs: last - since };
    await fireEnd(session, { ...duration, reason: 'unknown' });
  };

  return {
    touch(session) {
      if (begun.has(session)) return;
      begun.set(session, clock.monotonic());
      void disk?.marks.mark(session.id, clock.now());
      if (!hooks.has('session_start')) return;
      const event = { sessionId: session.id, sessionKey: session.key };
      const resumed = session.isNew ? event : { ...event, resumedFrom: session.id };
      void hooks.observe('session_start', resumed, contextOf(session));
    },
    async reset(session, reason, next) {
      if (hooks.has('before_reset')) {
        const event = { messages: session.messages(), reason, ...fileOf(session) };
        await hooks.observe('before_reset', event, contextOf(session));
      }
      await end(session, reason, next);
      await cleanUp(session.key, 'reset');
    },
    async end(session, reason, next) {
      await end(session, reason, next);
      await cleanUp(session.key, reason === 'deleted' ? 'delete' : 'reset');
    },
    async endAll(reason) {
      await Promise.all([...begun.keys()].map((session) => end(session, reason)));
    },
    async closeGhosts() {
      for (const ghost of (await disk?.marks.takeGhosts()) ?? []) {
        try {
          await endGhost(ghost);
        } catch (error) {
          disk?.log.write('warn', `Session ${ghost.sessionId} could not be closed: ${errorMessage(error)}`);
        }
      }
    },
  };
}

function contextOf(session: Session): { agentId: string; sessionId: string; sessionKey: string } {
  return { agentId: session.agentId, sessionId: session.id, sessionKey: session.key };
}

/** Nothing was said in a session without a file. */
function fileOf(session: Session): { readonly sessionFile?: string } {
  return session.isNew ? {} : { sessionFile: session.file };
}
