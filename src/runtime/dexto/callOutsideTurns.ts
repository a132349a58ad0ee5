import type { ModelInfo } from '../../contracts/model.ts';
import type { PointCall } from '../../dexto/extensionPoints.ts';
import type { Session } from '../../sessions/session.ts';

/** What plugins are told of a model call that belongs to no turn: a run of its own, in the session and for its tenant. */
export function callOutsideTurns(session: Session, model: ModelInfo, signal: AbortSignal): PointCall {
  const { id: sessionId, key: sessionKey, agentId, header } = session;
  const tenant = header.tenant === undefined ? {} : { tenant: header.tenant };
  return { runId: crypto.randomUUID(), sessionId, sessionKey, agentId, model, signal, ...tenant };
}
