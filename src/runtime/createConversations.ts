import { createEmitter, type Emitter, type Event } from '../base/event.ts';
import type { CompactionResult } from '../agent/context/compactSession.ts';
import type { ContextManager } from '../agent/context/createContextManager.ts';
import type { Model } from '../contracts/model.ts';
import { sessionInUse, sessionUnknown } from '../sessions/sessionErrors.ts';
import type { Inbox } from '../sessions/createInbox.ts';
import { createTenantInbox } from '../sessions/createTenantInbox.ts';
import { createTenantSessions } from '../sessions/createTenantSessions.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { TurnLocks } from '../sessions/turnLocks.ts';
import { visibleToTenant, type SessionTenant } from '../sessions/visibleToTenant.ts';
import type { ToolCatalog } from '../tools/catalog.ts';
import type { Conversations, RunningTurn } from './conversations.ts';
import type { AgentSide } from './createAgentSide.ts';
import type { PromptSide } from './createPromptSide.ts';
import type { Runs } from './createRuns.ts';
import type { PromptCheck } from './checkOutsideTurns.ts';

export interface ConversationsParts {
  readonly sessions: SessionStore;
  readonly inbox: Inbox;
  readonly runs: Runs;
  readonly turnLocks: TurnLocks;
  readonly agents: AgentSide;
  readonly prompts: PromptSide;
  readonly folders: () => readonly string[];
  /** On whose behalf the code runs that asks now; absent, on nobody's. */
  readonly tenant?: () => SessionTenant | undefined;
  readonly contextManagerOf: (session: Session) => ContextManager;
  /** The model that would answer in a session now. */
  readonly modelFor: (session: Session) => Model;
  readonly catalogFor: (session: Session, model: Model) => ToolCatalog;
  /** To be asked before a model gets words of the user outside of a turn. */
  readonly checkPrompt: PromptCheck;
  /** Cancels what runs of a session, ends it and removes its files. */
  readonly removeSession: (id: string) => Promise<void>;
}

/** Conversations and what tells that they changed; `changed` is to be called when a turn began or ended. */
interface ConversationSide {
  readonly conversations: Conversations;
  changed(): void;
  dispose(): void;
}

export function createConversations(parts: ConversationsParts): ConversationSide {
  const { agents } = parts;
  const changes: Emitter<void> = createEmitter();
  const changed = (): void => changes.fire();
  const listening = [
    parts.sessions.onDidChange(changed),
    parts.inbox.onDidChange(changed),
    agents.subagents.onDidChange(changed),
  ];
  return {
    conversations: conversationsOf(parts, changes.event, () => parts.tenant?.()),
    changed,
    dispose() {
      listening.forEach((each) => each.dispose());
      changes.dispose();
    },
  };
}

/** The conversations of one tenant; `tenantOf` is asked with each call. */
function conversationsOf(
  parts: ConversationsParts,
  onDidChange: Event<void>,
  tenantOf: () => SessionTenant | undefined,
): Conversations {
  const { runs, agents, prompts } = parts;
  const sessions = createTenantSessions(parts.sessions, tenantOf);
  const inbox = createTenantInbox(parts.inbox, sessions);
  const isVisible = ({ session }: RunningTurn): boolean => visibleToTenant(session.header, tenantOf());
  const running = (sessionId: string): ReturnType<Runs['current']> => {
    const turn = runs.current(sessionId);
    return turn !== undefined && isVisible(turn) ? turn : undefined;
  };
  /** What an agent has started runs in this process, so its session is open here. */
  const isOpen = (sessionId: string): boolean => sessions.peek(sessionId) !== undefined;
  const mustOpen = async (id: string): Promise<Session> => {
    const session = await sessions.open(id);
    if (session === undefined) throw sessionUnknown(id);
    return session;
  };
  return {
    forTenant: (tenant) => conversationsOf(parts, onDidChange, () => tenant),
    onDidChange,
    summaries: () => sessions.summaries(),
    search: (query, signal) => sessions.search(query, signal),
    rename: (id, name) => sessions.rename(id, name),
    fork: async (id, at) => await sessions.fork(await mustOpen(id), at, parts.folders()),
    readWhole: (id) => sessions.readWhole(id),
    exportMarkdown: (id) => sessions.exportMarkdown(id),
    async repair(id) {
      if ((await sessions.summary(id)) === undefined) throw sessionUnknown(id);
      // A window that only has it open does no harm, and may be one that lost its connection; one in a turn of it writes.
      const inTurn = new AbortController();
      const leave = await parts.turnLocks
        .take(id, inTurn.signal, () => inTurn.abort())
        .catch((error: unknown) => {
          throw inTurn.signal.aborted ? sessionInUse(id) : error;
        });
      try {
        return await sessions.repair(id, parts.folders());
      } finally {
        await leave();
      }
    },
    async remove(id) {
      await sessions.checkRemoval(id);
      await parts.removeSession(id);
    },

    inbox,
    running,
    async lastTurn(session) {
      if (running(session.id) !== undefined) return 'running';
      if (await parts.turnLocks.isTakenElsewhere(session.id)) return 'elsewhere';
      await runs.catchUp(session);
      return session.interruptedTurn() === undefined ? 'ended' : 'interrupted';
    },
    runningTurns: () => runs.all().filter(isVisible),
    stopTurn(sessionId) {
      const turn = running(sessionId);
      turn?.cancel();
      return turn !== undefined;
    },

    use: (session, model) => parts.contextManagerOf(session).use(model),
    async compact(session, signal, wanted) {
      const model = runs.current(session.id)?.model ?? parts.modelFor(session);
      const instructions = await parts.checkPrompt({ session, model: model.info, signal, text: wanted });
      const said = instructions === undefined ? {} : { instructions };
      const compact = (): Promise<CompactionResult> =>
        parts.contextManagerOf(session).compact({ model, signal, ...said });
      if (runs.current(session.id) !== undefined) return await compact();
      // Another process may be in a turn of it.
      const leave = await parts.turnLocks.take(session.id, signal, () => undefined);
      try {
        await session.catchUp();
        return await compact();
      } finally {
        await leave();
      }
    },
    async prompt(session) {
      const last = prompts.reports.last(session.id);
      if (last !== undefined) return last;
      const model = parts.modelFor(session);
      return await prompts.preview(session, model.info, parts.catalogFor(session, model));
    },

    async setSettings(session, change) {
      const all = Object.entries({ ...session.settings(), ...change });
      await session.setSettings(Object.fromEntries(all.filter(([, value]) => value !== undefined)));
    },

    modelOf: (session) => agents.modelOf(session),
    agents: () => agents.list(),
    subagents: (sessionId) => (isOpen(sessionId) ? agents.subagents.list(sessionId) : []),
    stopSubagent: (sessionId) => isOpen(sessionId) && agents.subagents.stop(sessionId),
  };
}
