import { createEmitter, type Emitter } from '../base/event.ts';
import type { ContextKeeper } from '../agent/context/contextKeeper.ts';
import type { Model } from '../contracts/model.ts';
import { sessionUnknown } from '../sessions/errors.ts';
import type { Inbox } from '../sessions/inbox.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { ToolCatalog } from '../tools/catalog.ts';
import type { Conversations } from './conversations.ts';
import type { AgentSide } from './createAgentSide.ts';
import type { PromptSide } from './createPromptSide.ts';
import type { Runs } from './createRuns.ts';

export interface ConversationsParts {
  readonly sessions: SessionStore;
  readonly inbox: Inbox;
  readonly runs: Runs;
  readonly agents: AgentSide;
  readonly prompts: PromptSide;
  readonly folders: () => readonly string[];
  readonly keeperOf: (session: Session) => ContextKeeper;
  /** The model that would answer in a session now. */
  readonly modelFor: (session: Session) => Model;
  readonly catalogFor: (session: Session, model: Model) => ToolCatalog;
  /** Cancels what runs of a session, ends it and removes its files. */
  readonly removeSession: (id: string) => Promise<void>;
}

/** Conversations and what tells that they changed; `changed` is to be called when a turn began or ended. */
export interface ConversationSide {
  readonly conversations: Conversations;
  changed(): void;
  dispose(): void;
}

export function createConversations(parts: ConversationsParts): ConversationSide {
  const { sessions, inbox, runs, agents, prompts } = parts;
  const changes: Emitter<void> = createEmitter();
  const changed = (): void => changes.fire();
  const listening = [
    sessions.onDidChange(changed),
    inbox.onDidChange(changed),
    agents.subagents.onDidChange(changed),
  ];
  const mustOpen = async (id: string): Promise<Session> => {
    const session = await sessions.open(id);
    if (session === undefined) throw sessionUnknown(id);
    return session;
  };
  const conversations: Conversations = {
    onDidChange: changes.event,
    summaries: () => sessions.summaries(),
    search: (query, signal) => sessions.search(query, signal),
    rename: (id, name) => sessions.rename(id, name),
    fork: async (id, at) => await sessions.fork(await mustOpen(id), at, parts.folders()),
    exportMarkdown: (id) => sessions.exportMarkdown(id),
    remove: (id) => parts.removeSession(id),

    inbox,
    running: (sessionId) => runs.current(sessionId),
    runningTurns: () => runs.all(),
    stopTurn(sessionId) {
      const turn = runs.current(sessionId);
      turn?.cancel();
      return turn !== undefined;
    },

    use: (session, model) => parts.keeperOf(session).use(model),
    compact: async (session, signal, instructions) =>
      await parts.keeperOf(session).compact({
        model: runs.current(session.id)?.model ?? parts.modelFor(session),
        signal,
        ...(instructions === undefined ? {} : { instructions }),
      }),
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
    subagents: (sessionId) => agents.subagents.list(sessionId),
    stopSubagent: (sessionId) => agents.subagents.stop(sessionId),
  };
  return {
    conversations,
    changed,
    dispose() {
      listening.forEach((each) => each.dispose());
      changes.dispose();
    },
  };
}
