// Threat: an agent reads or steers conversations that are none of its business. So it sees itself and what it has started;
// only an agent that a user talks to sees the other chats of the same agent, and never what others have started. Nothing of
// another tenant is seen at all.
import type { SessionSummary } from '../sessions/sessionStore.ts';
import { visibleToTenant } from '../sessions/visibleToTenant.ts';

type Facts = Pick<SessionSummary, 'id' | 'kind' | 'agentId' | 'parent' | 'tenant'>;

/** Those of `all` that the agent of a session may see, in their order. `all` are of one workspace. Pure. */
export function visibleSessions<T extends Facts>(callerId: string, all: readonly T[]): readonly T[] {
  const caller = all.find(({ id }) => id === callerId);
  if (caller === undefined) return [];
  const tree = treeOf(callerId, all);
  return all.filter(
    (session) =>
      visibleToTenant(session, caller.tenant) &&
      (tree.has(session.id) ||
        (caller.kind === 'chat' && session.kind === 'chat' && session.agentId === caller.agentId)),
  );
}

/** A session with all that it has started, and that they have. A fork is a chat of its own. Pure. */
export function treeOf(rootId: string, all: readonly Facts[]): ReadonlySet<string> {
  const tree = new Set([rootId]);
  for (;;) {
    const found = all.filter(
      ({ id, kind, parent }) =>
        kind === 'subagent' && parent !== undefined && tree.has(parent.sessionId) && !tree.has(id),
    );
    if (found.length === 0) return tree;
    found.forEach(({ id }) => tree.add(id));
  }
}
