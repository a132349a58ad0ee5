import type { ModelInfo } from '../../contracts/model.ts';
import type { PointContext } from '../../hooks/payloads/pointHooks.ts';
import type { Session } from '../../sessions/session.ts';

/** What plugins are told of a model call that belongs to no turn: a run of its own, in the session and for its tenant. */
export function callOutsideTurns(session: Session, model: ModelInfo): PointContext {
  const { id: sessionId, key: sessionKey, agentId, header } = session;
  const tenant = header.tenant === undefined ? {} : { tenant: header.tenant };
  return { runId: crypto.randomUUID(), sessionId, sessionKey, agentId, model, ...tenant };
}
