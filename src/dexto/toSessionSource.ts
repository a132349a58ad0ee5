import type { SessionFacts, SessionSource } from './context/contextServices.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';

/**
 * Sessions as plugins see them: what was really said, also what a compaction stands for. What is only made up for models, such as
 * a result for a call that still runs, is not in it.
 */
export function toSessionSource(store: Pick<SessionStore, 'open' | 'list'>): SessionSource {
  return {
    async open(id) {
      const session = await store.open(id);
      return session === undefined ? undefined : toFacts(session);
    },
    list: () => store.list(),
  };
}

function toFacts(session: Session): SessionFacts {
  return {
    id: session.id,
    header: session.header,
    messages: () => session.entries().flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])),
  };
}
