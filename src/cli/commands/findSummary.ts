import type { Conversations } from '../../runtime/conversations.ts';
import { sessionUnknown } from '../../sessions/sessionErrors.ts';
import { findSessionId } from '../../sessions/sessionIds.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';

/** What the commands of `pincer sessions` need of the runtime. */
export type SessionCommands = Pick<
  Conversations,
  'summaries' | 'search' | 'rename' | 'fork' | 'exportMarkdown' | 'remove'
>;

/** The session whose id is `text` or begins with it. @throws PincerError `session_unknown`, `session_ambiguous` */
export async function findSummary(
  sessions: Pick<SessionCommands, 'summaries'>,
  text: string,
): Promise<SessionSummary> {
  const all = await sessions.summaries();
  const id = findSessionId(
    all.map((each) => each.id),
    text,
  );
  const found = all.find((each) => each.id === id);
  if (found === undefined) throw sessionUnknown(text);
  return found;
}
