import type { SessionConfig } from '../config/sections/sessionSection.ts';
import type { Clock } from '../host/ports.ts';
import { decideReset, lastActivityOf } from '../sessions/decideReset.ts';
import type { Inbox } from '../sessions/inbox.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { SessionLife } from './createSessionLife.ts';

export interface RotationParts {
  /** True where a turn of the session runs: then there was no pause, and what waits is for that turn. */
  readonly isRunning: boolean;
  readonly clock: Clock;
  readonly sessions: Pick<SessionStore, 'create'>;
  readonly life: Pick<SessionLife, 'end'>;
  readonly inbox: Pick<Inbox, 'open' | 'add' | 'removeSession'>;
  readonly reset: SessionConfig['reset'];
  /** Absolute paths of the workspace folders. */
  readonly folders: readonly string[];
  /** Reads what other processes have added to a session. */
  readonly catchUp: (session: Session) => Promise<void>;
}

/**
 * The session in which a turn begins: the given one, or where the rule for pauses says so a fresh one of the same agent and
 * settings, with the messages that wait; the given one then ends. A started agent's session is one task and has no pauses.
 */
export async function rotateSession(parts: RotationParts, session: Session): Promise<Session> {
  if (parts.isRunning || session.header.kind === 'subagent') return session;
  const decide = (): ReturnType<typeof decideReset> =>
    decideReset(parts.clock.now(), lastActivityOf(session.entries()), parts.reset);
  if (decide() === undefined) return session;
  // Whatever another window has added makes the pause shorter.
  await parts.catchUp(session);
  const reason = decide();
  if (reason === undefined) return session;
  const { agentId, tenant } = session.header;
  const next = parts.sessions.create(parts.folders, { agentId, ...(tenant === undefined ? {} : { tenant }) });
  if (Object.keys(session.settings()).length > 0) await next.setSettings(session.settings());
  await moveWaiting(parts.inbox, session.id, next.id);
  await parts.life.end(session, reason, next);
  return next;
}

/** What the user said and nobody read goes along. A crash in between leaves it in both places rather than in none. */
async function moveWaiting(inbox: RotationParts['inbox'], from: string, to: string): Promise<void> {
  const waiting = await inbox.open(from);
  for (const { kind, text, from: said } of waiting) await inbox.add(to, kind, text, said);
  if (waiting.length > 0) await inbox.removeSession(from);
}
