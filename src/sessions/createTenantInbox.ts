import { sessionUnknown } from './sessionErrors.ts';
import type { Inbox } from './createInbox.ts';
import type { SessionStore } from './sessionStore.ts';

/**
 * The waiting messages of one tenant: in sessions of others nothing waits, and nothing can be put there. `sessions` are those of
 * the tenant (`createTenantSessions`).
 */
export function createTenantInbox(inbox: Inbox, sessions: Pick<SessionStore, 'peek' | 'summary'>): Inbox {
  /** Nothing waits in this process that is not of a session it has opened. */
  const isOpen = (id: string): boolean => sessions.peek(id) !== undefined;
  const isThere = async (id: string): Promise<boolean> =>
    isOpen(id) || (await sessions.summary(id)) !== undefined;
  return {
    onDidChange: inbox.onDidChange,
    list: (id) => (isOpen(id) ? inbox.list(id) : []),
    sessions: () => inbox.sessions().filter(isOpen),
    open: async (id) => ((await isThere(id)) ? await inbox.open(id) : []),
    async add(id, kind, text, from) {
      if (!(await isThere(id))) throw sessionUnknown(id);
      return await inbox.add(id, kind, text, from);
    },
    edit: async (id, message, change) => (await isThere(id)) && (await inbox.edit(id, message, change)),
    remove: async (id, message) => (await isThere(id)) && (await inbox.remove(id, message)),
    move: async (id, message, before) => (await isThere(id)) && (await inbox.move(id, message, before)),
    take: (id, kind) => (isOpen(id) ? inbox.take(id, kind) : []),
    release(id, messages) {
      if (isOpen(id)) inbox.release(id, messages);
    },
    async settle(id, messages) {
      if (await isThere(id)) await inbox.settle(id, messages);
    },
    async removeSession(id) {
      if (await isThere(id)) await inbox.removeSession(id);
    },
  };
}
