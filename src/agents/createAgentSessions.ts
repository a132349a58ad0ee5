import type { Turn } from '../contracts/tool.ts';
import type { Inbox } from '../sessions/createInbox.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionSummary } from '../sessions/sessionStore.ts';
import type {
  AgentSessions,
  ChildResult,
  ChildRow,
  SessionRow,
  StartedChild,
} from '../tools/core/sessions/agentSessions.ts';
import { sessionNotVisible, subagentEnded, subagentTooMany, subagentUnknown } from './agentErrors.ts';
import { createSessionSends, type SessionSendsDeps } from './createSessionSends.ts';
import { startableAgents } from './planSpawn.ts';
import { quoteHistory } from './quoteHistory.ts';
import type { StartedAgent, SubagentResult, Subagents } from './subagents.ts';
import type { SubagentsDeps } from './subagentParts.ts';
import { treeOf, visibleSessions } from './visibleSessions.ts';

interface AgentSessionsDeps
  extends Pick<SubagentsDeps, 'clock' | 'config' | 'openSession' | 'carryTaint'>, SessionSendsDeps {
  readonly subagents: Subagents;
  readonly inbox: Pick<Inbox, 'add'>;
  /** All stored sessions of this workspace, newest first. */
  readonly summaries: () => Promise<readonly SessionSummary[]>;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** What the session tools stand on: who sees what, and what happens on their word (OpenClaw core flow, group:sessions). */
export function createAgentSessions(deps: AgentSessionsDeps): AgentSessions {
  const { subagents, clock } = deps;
  const sends = createSessionSends(deps);

  const rowOf = (summary: SessionSummary, callerId: string): SessionRow => ({
    key: summary.key,
    sessionId: summary.id,
    kind: summary.kind,
    agentId: summary.agentId,
    title: summary.title,
    updatedAt: summary.updatedAt,
    messageCount: summary.messageCount,
    isCaller: summary.id === callerId,
    isRunning: deps.currentTurn(summary.id) !== undefined,
  });
  const quoteOf = (session: Session, limit: number, includeTools: boolean) => {
    const messages = session.entries().flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
    return quoteHistory(messages, { limit, includeTools, redact: deps.redact });
  };
  /** The caller now holds what the other one holds. */
  const takeFrom = async (session: Session, caller: Turn): Promise<void> => {
    const own = await deps.openSession(caller.sessionId);
    if (own !== undefined) deps.carryTaint(session, own);
  };
  const find = async (
    caller: Turn,
    key: string,
  ): Promise<{ readonly session: Session; readonly row: SessionRow; readonly isOwn: boolean }> => {
    const all = await deps.summaries();
    const summary = byName(visibleSessions(caller.sessionId, all), key);
    const session = summary === undefined ? undefined : await deps.openSession(summary.id);
    if (summary === undefined || session === undefined) throw sessionNotVisible(key);
    const isOwn = treeOf(caller.sessionId, all).has(summary.id);
    return { session, row: rowOf(summary, caller.sessionId), isOwn };
  };

  /** One that was started and has ended can go on: then it counts again. @throws PincerError `subagent_too_many` */
  const checkRoom = async (caller: Turn): Promise<void> => {
    const own = await deps.openSession(caller.sessionId);
    const agent = deps.config().agents.list.find(({ id }) => id === own?.agentId);
    const running = (await deps.summaries()).filter(
      ({ id, kind, parent }) =>
        kind === 'subagent' && parent?.sessionId === caller.sessionId && deps.currentTurn(id) !== undefined,
    ).length;
    if (running >= (agent?.subagents.maxChildren ?? 1)) throw subagentTooMany(running, 'of this session');
  };
  /** Also where another one stands between the two. */
  const withTaint = ({ info, ended }: StartedAgent, caller: Turn): StartedAgent => ({
    info,
    // Opened now: it may be removed at its end.
    ended: Promise.all([ended, deps.openSession(info.sessionId)]).then(async ([result, session]) => {
      if (session !== undefined) await takeFrom(session, caller);
      return result;
    }),
  });

  return {
    async agents(caller) {
      const own = await deps.openSession(caller.sessionId);
      const { agents } = deps.config();
      return startableAgents(agents, own?.agentId ?? 'main').map(({ id, name, description }) => ({
        id,
        name,
        description,
        isCaller: id === own?.agentId,
      }));
    },
    async list(caller, { kinds, limit, activeMs, messageLimit }) {
      const since = activeMs === undefined ? 0 : clock.now() - activeMs;
      const seen = visibleSessions(caller.sessionId, await deps.summaries())
        .filter(({ kind, updatedAt }) => kinds?.includes(kind) !== false && updatedAt >= since)
        .slice(0, limit);
      const rows = seen.map((summary) => rowOf(summary, caller.sessionId));
      if (messageLimit === 0) return rows;
      return await Promise.all(
        rows.map(async (row) => {
          const session = await deps.openSession(row.sessionId);
          if (session === undefined) return row;
          await takeFrom(session, caller);
          return { ...row, messages: quoteOf(session, messageLimit, false).messages };
        }),
      );
    },
    async history(caller, { key, limit, includeTools }) {
      const { session, row } = await find(caller, key);
      await takeFrom(session, caller);
      return { row, ...quoteOf(session, limit, includeTools) };
    },
    async planSend(caller, request) {
      const target = await find(caller, request.key);
      if (target.isOwn && !target.row.isRunning) await checkRoom(caller);
      return await sends.plan(caller, target, request);
    },
    async spawn(caller, options, { signal, onProgress }) {
      const { sessionId, runId } = caller;
      return startedChild(await subagents.spawn({ sessionId, runId, ...options, signal, onProgress }));
    },
    children: (caller) => ownChildren(subagents, caller),
    child(caller, target) {
      const rows = ownChildren(subagents, caller);
      const wanted = target.trim();
      const row =
        rows.find(({ sessionId, sessionKey }) => sessionId === wanted || sessionKey === wanted) ??
        rows.find(({ label }) => label === wanted) ??
        onlyOne(rows.filter(({ sessionId }) => wanted.length >= 4 && sessionId.startsWith(wanted)));
      const found = row === undefined ? undefined : subagents.find(row.sessionId);
      if (found === undefined)
        throw subagentUnknown(
          target,
          rows.map(({ sessionId }) => sessionId),
        );
      return startedChild(withTaint(found, caller));
    },
    stop: ({ sessionId }) => subagents.stop(sessionId),
    async steer(caller, { sessionId, label }, message) {
      const [own, child] = await Promise.all([
        deps.openSession(caller.sessionId),
        deps.openSession(sessionId),
      ]);
      if (subagents.find(sessionId)?.info.state !== 'running') throw subagentEnded(label);
      if (own !== undefined && child !== undefined) deps.carryTaint(own, child);
      await deps.inbox.add(sessionId, 'steer', message, 'agent');
    },
  };
}

function byName(all: readonly SessionSummary[], name: string): SessionSummary | undefined {
  const wanted = name.trim();
  return (
    all.find(({ id, key }) => id === wanted || key === wanted) ??
    onlyOne(all.filter(({ id }) => wanted.length >= 4 && id.startsWith(wanted)))
  );
}

function onlyOne<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined;
}

/** What a session has started itself. */
function ownChildren(subagents: Subagents, { sessionId }: Turn): readonly ChildRow[] {
  return subagents.list(sessionId);
}

function startedChild({ info, ended }: StartedAgent): StartedChild {
  return { row: info, ended: ended.then(childResultOf) };
}

function childResultOf({ usage, ...result }: SubagentResult): ChildResult {
  return { ...result, tokens: usage === undefined ? undefined : usage.input + usage.output };
}
