import type { Conversations } from '../../runtime/conversations.ts';
import type { WaitingMessage } from '../../sessions/inbox.ts';
import { nameOfSession } from '../sessions/sessionTexts.ts';

/** The waiting messages of one session. */
export interface SessionWaiting {
  readonly sessionId: string;
  readonly title: string;
  /** In the order they will be read. */
  readonly messages: readonly WaitingMessage[];
}

/** What waits for the turns that run now; sessions without a message are left out. */
export function waitingOf(
  conversations: Pick<Conversations, 'runningTurns' | 'inbox'>,
): readonly SessionWaiting[] {
  return conversations.runningTurns().flatMap(({ session }) => {
    const messages = conversations.inbox.list(session.id);
    return messages.length === 0 ? [] : [{ sessionId: session.id, title: nameOfSession(session), messages }];
  });
}
