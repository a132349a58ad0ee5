import type { AgentMessage } from '../../contracts/message.ts';
import type { SessionManager, SessionMetadata, SessionView } from '../dextoTypes.ts';
import type { SessionFacts, SessionSource } from './contextServices.ts';

/** The sessions of one tenant as plugins see them: to read, and only as long as a plugin looks. */
export function createSessionManager(source: SessionSource): SessionManager {
  return Object.freeze({
    async getSession(sessionId: string) {
      const session = await source.open(sessionId);
      return session === undefined ? undefined : viewOf(session);
    },
    listSessions: async () => [...(await source.list())],
    async getSessionMetadata(sessionId: string) {
      const session = await source.open(sessionId);
      return session === undefined ? undefined : metadataOf(session);
    },
  });
}

function viewOf(session: SessionFacts): SessionView {
  return Object.freeze({
    id: session.id,
    metadata: metadataOf(session),
    getHistory: () => Promise.resolve(session.messages().map(saidIn)),
  });
}

/** A fresh object: what a plugin writes into it, nobody reads. */
function metadataOf(session: SessionFacts): SessionMetadata {
  const { createdAt, tenant } = session.header;
  return { createdAt, messageCount: session.messages().length, ...tenant };
}

/** Texts alone; what a tool gave has upstream's role `tool`. */
function saidIn({ role, content }: AgentMessage): { role: string; content: string } {
  return {
    role: role === 'toolResult' ? 'tool' : role,
    content: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
  };
}
