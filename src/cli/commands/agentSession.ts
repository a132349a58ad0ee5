import { PincerError } from '../../base/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Session } from '../../sessions/session.ts';
import { sessionUnknown } from '../../sessions/sessionErrors.ts';
import { findSessionId } from '../../sessions/sessionIds.ts';

/** The session of a message: the one that the command line names, else a new one of the agent that it names. */
export interface WantedSession {
  /** An id, or the beginning of one. */
  readonly session?: string;
  readonly agent?: string;
}

/**
 * `chatId`: of the chat that a new session belongs to; default one of its own.
 * @throws PincerError `session_unknown`, `session_ambiguous`, `session_agent_differs`, `agent_unknown`
 */
export async function openSession(
  runtime: { readonly conversations: Pick<Runtime['conversations'], 'sessions' | 'create'> },
  { session: text, agent }: WantedSession,
  chatId?: string,
): Promise<Session> {
  if (text === undefined) return runtime.conversations.create(agent, chatId);
  const { sessions } = runtime.conversations;
  const session = await sessions.open(findSessionId(await sessions.list(), text));
  if (session === undefined) throw sessionUnknown(text);
  if (agent !== undefined && agent !== session.agentId) {
    throw new PincerError(
      'session_agent_differs',
      `The session ${session.id} belongs to the agent ${session.agentId}.`,
      { hint: 'Leave --agent out, or start a new session.' },
    );
  }
  return session;
}
