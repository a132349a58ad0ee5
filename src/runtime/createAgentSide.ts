import { createAgentSessions } from '../agents/createAgentSessions.ts';
import { createEmbeddedAgents, type EmbeddedAgents } from '../agents/createEmbeddedAgents.ts';
import { createSubagentHooks, type ConversationOrigins } from '../agents/createSubagentHooks.ts';
import { createSubagents } from '../agents/createSubagents.ts';
import type { CurrentTurn, StartAgentTurn } from '../agents/agentTurn.ts';
import { agentUnknown } from '../agents/agentErrors.ts';
import { findAgentProblems } from '../agents/findAgentProblems.ts';
import { lineageOf, strictestLineage, type Lineage } from '../agents/lineageOf.ts';
import { resolveAgentFolder } from '../agents/resolveAgentFolder.ts';
import { resolveAgentModel, type ResolvedModel } from '../agents/resolveAgentModel.ts';
import { resolveRoute, type AgentRoute } from '../agents/resolveRoute.ts';
import type { Subagents } from '../agents/subagents.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { AgentEntry } from '../config/sections/agentsSection.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Model } from '../contracts/model.ts';
import type { Tenant } from '../contracts/tenant.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { Host } from '../host/ports.ts';
import type { ModelRegistry } from '../models/createModelRegistry.ts';
import type { SessionTaint } from '../net/createSessionTaint.ts';
import type { Inbox } from '../sessions/createInbox.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { AgentSessions } from '../tools/core/sessions/agentSessions.ts';
import { holdsOutsideText, holdsReadText } from './readText.ts';

interface AgentSideParts {
  readonly host: Host;
  /** `vscode`, `cli`. */
  readonly surface: string;
  readonly conversations: ConversationOrigins;
  readonly folders: () => readonly string[];
  readonly config: () => PincerConfig;
  readonly hooks: HookRunner;
  readonly sessions: SessionStore;
  readonly inbox: Pick<Inbox, 'add' | 'open'>;
  readonly models: ModelRegistry;
  /** The model that is no AI: no plugin gets it. */
  readonly builtIn: Model;
  readonly taint: Pick<SessionTaint, 'enter' | 'isTainted' | 'read' | 'hasRead'>;
  readonly currentTurn: (sessionId: string) => CurrentTurn | undefined;
  readonly startTurn: StartAgentTurn;
  /** The tenant that the code runs for that asks now. */
  readonly tenant: () => Tenant | undefined;
  /** Ends a session and removes its files. */
  readonly removeSession: (id: string) => Promise<void>;
  readonly redact: (text: string) => string;
  /** Aborts when the runtime stops or the window loses trust. */
  readonly signal: () => AbortSignal;
}

/** Named agents: who answers in a session, what it may, and the agents that agents and plugins start. */
export interface AgentSide {
  readonly subagents: Subagents;
  /** What the session tools stand on. */
  readonly sessions: AgentSessions;
  /** For plugins. */
  readonly embedded: EmbeddedAgents;
  /** The default one first. */
  readonly list: () => readonly AgentEntry[];
  /** Who answers in a new session: the agent that is wanted, else the one that the bindings name. @throws PincerError `agent_unknown` */
  readonly idFor: (wanted: string | undefined) => string;
  /** The agent of a session; the default one where the config no longer has it. */
  readonly agentOf: (session: Session) => AgentEntry;
  /** Absolute path of the folder that a session's agent works in. */
  readonly folderOf: (session: Session) => string | undefined;
  /** The model that answers in a session, and who chose it; undefined where nobody did. */
  readonly modelOf: (session: Session) => ResolvedModel | undefined;
  /** To be asked before each turn; undefined for a session that a user began. */
  readonly lineageOf: (session: Session) => Promise<Lineage | undefined>;
  /** The same without waiting: the strictest limits for a started agent whose lineage was never asked for. */
  readonly knownLineage: (session: Session) => Lineage | undefined;
  readonly problems: () => readonly Diagnostic[];
}

export function createAgentSide(parts: AgentSideParts): AgentSide {
  const { host, sessions, models, config } = parts;
  const lineages = new WeakMap<Session, Lineage>();
  const headerOf = async (id: string) => (await sessions.open(id))?.header;

  const agentBy = (agentId: string): AgentEntry => {
    const { list } = config().agents;
    const found = list.find(({ id }) => id === agentId) ?? list.find(({ isDefault }) => isDefault);
    if (found === undefined) throw agentUnknown(agentId, []);
    return found;
  };
  const agentOf = (session: Session): AgentEntry => agentBy(session.agentId);
  const folderOf = (agentId: string): string | undefined =>
    resolveAgentFolder(agentBy(agentId).workspace, parts.folders(), host.userHome).folder;
  const route = (): AgentRoute => resolveRoute({ channel: parts.surface }, config().agents);
  const boundModel = (session: Session): string | undefined => {
    const { agentId, model } = route();
    return agentId === session.agentId ? model : undefined;
  };
  const modelOf: AgentSide['modelOf'] = (session) =>
    resolveAgentModel({
      session: session.settings().model,
      binding: boundModel(session),
      agent: agentOf(session).model,
      config: config().model,
    });
  const carryTaint = (from: Session, to: Session): void => {
    const entries = from.entries();
    if (parts.taint.isTainted(from.id, '') || holdsOutsideText(entries)) parts.taint.enter(to.id);
    if (parts.taint.hasRead(from.id, '') || holdsReadText(entries)) parts.taint.read(to.id);
  };

  const shared = {
    clock: host.clock,
    log: host.log,
    config,
    openSession: (id: string) => sessions.open(id),
    createSession: (origin: Parameters<SessionStore['create']>[1]) =>
      sessions.create(parts.folders(), origin),
    removeSession: parts.removeSession,
    findModel: (name: string) => models.find(name),
    currentTurn: parts.currentTurn,
    startTurn: parts.startTurn,
    carryTaint,
    signal: parts.signal,
  };
  const subagents = createSubagents({
    ...shared,
    inbox: parts.inbox,
    async sessionOfKey(key) {
      const id = await sessions.ofKey(key);
      return id === undefined ? undefined : await sessions.open(id);
    },
    hooks: createSubagentHooks({
      hooks: parts.hooks,
      log: host.log,
      surface: parts.surface,
      conversations: parts.conversations,
    }),
  });

  return {
    subagents,
    sessions: createAgentSessions({
      ...shared,
      subagents,
      inbox: parts.inbox,
      summaries: () => sessions.summaries(),
      redact: parts.redact,
      modelFor: (session) => models.find(modelOf(session)?.model ?? '') ?? parts.builtIn,
    }),
    embedded: createEmbeddedAgents({
      tenant: parts.tenant,
      folderOf,
      ...shared,
      defaultModel() {
        const model = models.find(config().model ?? '');
        return model === parts.builtIn ? undefined : model;
      },
    }),
    list: () => [...config().agents.list].sort((a, b) => Number(b.isDefault) - Number(a.isDefault)),
    idFor(wanted) {
      if (wanted === undefined) return route().agentId;
      const ids = config().agents.list.map(({ id }) => id);
      if (!ids.includes(wanted)) throw agentUnknown(wanted, ids);
      return wanted;
    },
    agentOf,
    folderOf: ({ agentId }) => folderOf(agentId),
    modelOf,
    async lineageOf(session) {
      const lineage = await lineageOf(session.header, headerOf, config().agents);
      if (lineage !== undefined) lineages.set(session, lineage);
      return lineage;
    },
    knownLineage: (session) =>
      session.header.kind === 'subagent'
        ? (lineages.get(session) ?? strictestLineage(config().agents))
        : undefined,
    problems: () =>
      findAgentProblems(config().agents, {
        folders: parts.folders(),
        userHome: host.userHome,
        hasModel: (name) => models.find(name) !== undefined,
      }),
  };
}
