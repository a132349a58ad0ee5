import type { HookRunner } from '../hooks/hookRunner.ts';
import type { SessionEndReason } from '../hooks/payloads/sessionHooks.ts';
import type { Clock } from '../host/ports.ts';
import type { Session } from '../sessions/session.ts';

/** Tells plugins when sessions begin and end. A session begins with its first turn in this process. */
export interface SessionLife {
  /** Before each turn; fires `session_start` the first time. */
  touch(session: Session): void;
  /** The user starts over: `before_reset`, then `session_end`. */
  reset(session: Session, reason: 'new' | 'reset'): Promise<void>;
  /** Ends every session that began here. */
  endAll(reason: SessionEndReason): Promise<void>;
}

export interface SessionLifeParts {
  readonly hooks: HookRunner;
  readonly clock: Clock;
  /** Called when a session was reset, after its hooks. */
  readonly cleanUp: (sessionKey: string) => Promise<void>;
}

export function createSessionLife({ hooks, clock, cleanUp }: SessionLifeParts): SessionLife {
  const begun = new Map<Session, number>();

  const end = async (session: Session, reason: SessionEndReason): Promise<void> => {
    const startedAt = begun.get(session);
    if (startedAt === undefined) return;
    begun.delete(session);
    if (!hooks.has('session_end')) return;
    const event = {
      sessionId: session.id,
      sessionKey: session.key,
      messageCount: session.messages().length,
      durationMs: clock.monotonic() - startedAt,
      reason,
    };
    await hooks.observe('session_end', event, contextOf(session));
  };

  return {
    touch(session) {
      if (begun.has(session)) return;
      begun.set(session, clock.monotonic());
      if (!hooks.has('session_start')) return;
      const event = { sessionId: session.id, sessionKey: session.key };
      const resumed = session.isNew ? event : { ...event, resumedFrom: session.id };
      void hooks.observe('session_start', resumed, contextOf(session));
    },
    async reset(session, reason) {
      if (hooks.has('before_reset')) {
        await hooks.observe('before_reset', { messages: session.messages(), reason }, contextOf(session));
      }
      await end(session, reason);
      await cleanUp(session.key);
    },
    async endAll(reason) {
      await Promise.all([...begun.keys()].map((session) => end(session, reason)));
    },
  };
}

function contextOf(session: Session): { agentId: string; sessionId: string; sessionKey: string } {
  return { agentId: 'main', sessionId: session.id, sessionKey: session.key };
}
