import { errorMessage, PincerError } from '../base/errors.ts';
import { createEmitter, type Emitter, type Event } from '../base/event.ts';
import { redactKeys } from '../base/secrets/redactKeys.ts';
import type { AgentEvent } from '../contracts/agentEvent.ts';
import type { Tenant } from '../contracts/tenant.ts';
import type { GatewayPorts, RemoteApprovals, StartedRun } from '../gateway/gatewayPorts.ts';
import type { RunOf } from '../gateway/rpc/createRunEvents.ts';
import type { Log } from '../host/ports.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import { visibleToTenant } from '../sessions/visibleToTenant.ts';
import type { AgentCore } from './createAgentCore.ts';
import type { TurnEvent } from './createRuns.ts';
import type { createTurnSide } from './createTurnSide.ts';
import type { AllPlugins } from './joinDialects.ts';

export interface ClientPortsParts {
  readonly core: AgentCore;
  readonly plugins: Pick<AllPlugins, 'redact' | 'plugins' | 'sessionExtensions'>;
  readonly turns: ReturnType<typeof createTurnSide>;
  /** Those that callers may see. */
  readonly sessions: Pick<SessionStore, 'ofKey' | 'open'>;
  /** The session that callers share by a name. */
  readonly conversationOf: (agentId: string, name: string) => Session;
  readonly onTurnEvent: Event<TurnEvent>;
  readonly log: Log;
}

type ClientPorts = Pick<
  GatewayPorts,
  | 'open'
  | 'startTurn'
  | 'abort'
  | 'history'
  | 'sessions'
  | 'patchPluginState'
  | 'onRunEvent'
  | 'approvals'
  | 'running'
  | 'redact'
>;

/** What clients of the gateway get done over WebSocket: the same turns and sessions as everybody's, of one tenant. */
export function createClientPorts(parts: ClientPortsParts): ClientPorts {
  const { core, plugins, turns, sessions, conversationOf, onTurnEvent, log } = parts;
  const { conversations } = turns;
  const { approvals } = core.tools;
  const runEvents: Emitter<{ readonly run: RunOf; readonly event: AgentEvent }> = createEmitter();
  let served: Tenant | undefined;
  onTurnEvent(({ session, runId, event }) => {
    if (!visibleToTenant(session.header, servedTenant(served))) return;
    runEvents.fire({ run: { runId, sessionId: session.id, sessionKey: session.key }, event });
  });

  const sessionOf = async (sessionKey: string, agentId: string | undefined): Promise<Session> => {
    const named = /^(?:agent:(?<agent>[^:]+):)?main$/u.exec(sessionKey);
    if (named !== null) return conversationOf(core.agents.idFor(agentId ?? named.groups?.['agent']), 'main');
    const id = await sessions.ofKey(sessionKey);
    const session = id === undefined ? undefined : await sessions.open(id);
    if (session === undefined)
      throw new PincerError('session_unknown', `There is no session with the key ${sessionKey}.`);
    return session;
  };

  const begin = async (session: Session, message: string): Promise<StartedRun> => {
    const run = await turns.startRun({
      session,
      prompt: message,
      attachments: [],
      model: turns.modelFor(session),
      // It goes on when the client leaves: whoever wants it to stop says so.
      signal: new AbortController().signal,
      emit: () => undefined,
    });
    const { runId, outcome } = run;
    return { runId, outcome, sessionId: run.session.id, sessionKey: run.session.key };
  };

  /** Has the turn that runs read it as its next message; undefined where none runs. */
  const queue = async (session: Session, message: string): Promise<StartedRun | undefined> => {
    const running = turns.runs.current(session.id);
    if (running === undefined) return undefined;
    const { runId, outcome } = running.handle;
    const waiting = await core.inbox.add(session.id, 'followUp', message);
    const isUnread = (): Promise<boolean> => core.inbox.remove(session.id, waiting.id);
    if (turns.runs.current(session.id) !== running && (await isUnread())) return undefined;
    // The turn may have looked for messages for the last time. What it was stopped before, the user sends again.
    const goOn = async (): Promise<void> => {
      const { status } = await outcome;
      if (status !== 'cancelled' && (await isUnread())) await begin(session, message);
    };
    goOn().catch((error: unknown) =>
      log.write('warn', `A queued message of ${session.key} got no turn: ${errorMessage(error)}`),
    );
    return { runId, outcome, sessionId: session.id, sessionKey: session.key, isQueued: true };
  };

  return {
    open() {
      served = turns.tenantNow();
    },
    async startTurn({ sessionKey = 'main', agentId, message, mayQueue }) {
      const session = await sessionOf(sessionKey, agentId);
      const queued = mayQueue === true ? await queue(session, message) : undefined;
      if (queued !== undefined) return queued;
      return await begin(session, message);
    },
    async abort(sessionKey, runId) {
      const { id } = await sessionOf(sessionKey, undefined);
      const running = turns.runs.current(id);
      if (running === undefined || (runId !== undefined && running.handle.runId !== runId)) return [];
      return conversations.stopTurn(id) ? [running.handle.runId] : [];
    },
    async history(sessionKey) {
      const session = await sessionOf(sessionKey, undefined);
      if (!session.isNew) await turns.runs.catchUp(session);
      const messages = session
        .entries()
        .flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
      return { sessionId: session.id, sessionKey: session.key, messages };
    },
    async sessions() {
      const summaries = await conversations.summaries();
      return await Promise.all(
        summaries.map(async ({ id, key, kind, agentId, title, updatedAt }) => ({
          ...{ sessionId: id, key, kind, agentId, title, updatedAt },
          isRunning: conversations.running(id) !== undefined,
          pluginExtensions: await plugins.sessionExtensions(key),
        })),
      );
    },
    async patchPluginState(sessionKey, target, change) {
      const { pluginId, namespace } = target;
      const plugin = plugins.plugins().find(({ id }) => id === pluginId);
      if (plugin?.registrations['session extension']?.includes(namespace) !== true)
        throw new PincerError(
          'session_extension_unknown',
          `unknown plugin session extension: ${pluginId}/${namespace}`,
        );
      const session = await sessionOf(sessionKey, undefined);
      await core.state.patchSession(session, target, change);
    },
    onRunEvent: runEvents.event,
    approvals: approvalsOf(approvals, () => servedTenant(served)?.tenantId),
    running: () => conversations.runningTurns().length,
    redact: (text) => redactKeys(plugins.redact(text)),
  };
}

/** A user without a tenant is nobody's tenant. */
function servedTenant(
  tenant: Tenant | undefined,
): { readonly tenantId: string; readonly userId?: string } | undefined {
  return tenant?.tenantId === undefined ? undefined : { ...tenant, tenantId: tenant.tenantId };
}

/** Questions of other tenants are not there. */
function approvalsOf(approvals: RemoteApprovals, tenantId: () => string | undefined): RemoteApprovals {
  return {
    pending: () => approvals.pending().filter((each) => each.tenantId === tenantId()),
    history: () => approvals.history().filter(({ request }) => request.tenantId === tenantId()),
    resolve(id, decision, by, details) {
      const isTheirs = approvals.pending().some((each) => each.id === id && each.tenantId !== tenantId());
      // As if there were none: the broker words it.
      return approvals.resolve(isTheirs ? `-${id}` : id, decision, by, details);
    },
    noteShownWhole: approvals.noteShownWhole,
    onDidChange: approvals.onDidChange,
  };
}
