import type { Conversations } from '../../runtime/conversations.ts';
import type { SessionSummary } from '../../sessions/sessionStore.ts';
import type { WaitingMessage } from '../../sessions/createInbox.ts';

/** The waiting messages of one session. */
export interface SessionWaiting {
  readonly sessionId: string;
  readonly title: string;
  /** In the order they will be read. */
  readonly messages: readonly WaitingMessage[];
}

/** Only so many sessions are looked at, the newest: each costs a file. */
const looked = 20;

/** What waits in the sessions that run or were used lately; those without a message are left out. */
export async function readWaiting(
  { inbox, runningTurns }: Pick<Conversations, 'inbox' | 'runningTurns'>,
  summaries: readonly SessionSummary[],
): Promise<readonly SessionWaiting[]> {
  const running = new Set(runningTurns().map(({ session }) => session.id));
  const candidates = summaries.filter(({ id }, index) => index < looked || running.has(id));
  const found = await Promise.all(
    candidates.map(async ({ id, title }) => ({ sessionId: id, title, messages: await inbox.open(id) })),
  );
  return found.filter(({ messages }) => messages.length > 0);
}
