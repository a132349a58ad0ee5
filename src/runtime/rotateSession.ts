import type { SessionConfig } from '../config/sections/sessionSection.ts';
import type { Clock } from '../host/ports.ts';
import { decideReset, lastActivityOf } from '../sessions/decideReset.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { SessionLife } from './createSessionLife.ts';

export interface RotationParts {
  readonly clock: Clock;
  readonly sessions: Pick<SessionStore, 'create'>;
  readonly life: Pick<SessionLife, 'end'>;
  readonly reset: SessionConfig['reset'];
  /** Absolute paths of the workspace folders. */
  readonly folders: readonly string[];
}

/**
 * The session in which a turn begins: the given one, or where the rule for pauses says so a fresh one of the same agent and
 * settings; the given one then ends. A started agent's session is one task and has no pauses.
 */
export async function rotateSession(parts: RotationParts, session: Session): Promise<Session> {
  if (session.header.kind === 'subagent') return session;
  const reason = decideReset(parts.clock.now(), lastActivityOf(session.entries()), parts.reset);
  if (reason === undefined) return session;
  const next = parts.sessions.create(parts.folders, { agentId: session.agentId });
  if (Object.keys(session.settings()).length > 0) await next.setSettings(session.settings());
  await parts.life.end(session, reason, next);
  return next;
}
