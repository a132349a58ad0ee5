import { PincerError } from '../base/errors.ts';
import type { Session } from '../sessions/session.ts';
import type { AgentCore } from './createAgentCore.ts';
import type { Runs } from './createRuns.ts';
import type { SessionLife } from './createSessionLife.ts';

export interface RemovalParts extends Pick<
  AgentCore,
  'sessions' | 'inbox' | 'turnLocks' | 'agents' | 'prompts' | 'tools'
> {
  readonly runs: Runs;
  readonly life: SessionLife;
}

/**
 * Deletes a conversation: what runs of it is cancelled, plugins hear of its end, then its files go and with them whatever was
 * kept of it in memory.
 * @throws PincerError `session_unknown`, `session_in_use`
 */
export async function removeSession(parts: RemovalParts, id: string): Promise<void> {
  const { sessions, inbox, agents, prompts, runs, life } = parts;
  await sessions.checkRemoval(id);
  agents.subagents.stopAllOf(id);
  await runs.clear(id);
  const session = await openWhereReadable(sessions, id);
  if (session !== undefined) {
    await life.end(session, 'deleted');
    await inbox.removeSession(id);
    parts.tools.end(session);
  }
  prompts.forget(id);
  await sessions.remove(id);
  await parts.turnLocks.remove(id);
}

/** What can't be read has no life to end; it can be deleted all the same. */
async function openWhereReadable(
  sessions: RemovalParts['sessions'],
  id: string,
): Promise<Session | undefined> {
  try {
    return await sessions.open(id);
  } catch (error) {
    if (error instanceof PincerError && error.code === 'session_unreadable') return undefined;
    throw error;
  }
}
