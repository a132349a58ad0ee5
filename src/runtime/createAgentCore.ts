import {
  type ContextManager,
  createContextManager,
  type ContextManagerDeps,
} from '../agent/context/createContextManager.ts';
import type { EndedTurn, OpenedEngine } from '../agent/context/openedEngine.ts';
import type { StartAgentTurn } from '../agents/agentTurn.ts';
import type { ConversationOrigins } from '../agents/createSubagentHooks.ts';
import { redactKeys } from '../base/secrets/redactKeys.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Model, ModelInfo } from '../contracts/model.ts';
import type { Tenant } from '../contracts/tenant.ts';
import type { AgentTool, Turn } from '../contracts/tool.ts';
import type { AgentFile } from '../dexto/agentFile/agentFile.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { Clock } from '../host/ports.ts';
import type { Memory } from '../memory/memory.ts';
import type { ModelRegistry } from '../models/createModelRegistry.ts';
import { createSessionTaint, type SessionTaint } from '../net/createSessionTaint.ts';
import type { InternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import type { PluginSkillFolder } from '../plugins/pluginManager.ts';
import type { HostProviderKind } from '../plugins/pluginTypes.ts';
import { toSummaryProvider, toWebProvider } from '../plugins/providers/askHostProvider.ts';
import { toPluginMemory } from '../plugins/providers/askMemoryRuntime.ts';
import {
  buildMemoryPrompt,
  flushFailed,
  planFlush,
  type MemoryCapability,
} from '../plugins/providers/memoryCapability.ts';
import {
  supplementPrompts,
  toMemorySupplements,
  type MemorySupplement,
} from '../plugins/providers/memorySupplements.ts';
import { type ContextEngineDeps, openContextEngine } from '../plugins/providers/openContextEngine.ts';
import type { HostProvider } from '../plugins/providers/pluginProvider.ts';
import type { Session } from '../sessions/session.ts';
import type { ImageReader } from '../tools/core/image.ts';
import type { RunTraces } from '../traces/createRunTraces.ts';
import { createSummaryCheck } from './checkOutsideTurns.ts';
import { createAgentSide, type AgentSide } from './createAgentSide.ts';
import { createImageReader } from './createImageReader.ts';
import { createPromptSide, type PromptSide } from './createPromptSide.ts';
import type { PlannedFlush, Runs } from './createRuns.ts';
import type { SessionSide } from './createSessionSide.ts';
import { createToolSide, type ToolSide, type ConversationStatus } from './createToolSide.ts';
import type { RuntimeInput } from './runtime.ts';
import type { RuntimeState } from './runtimeState.ts';

interface AgentCoreParts {
  readonly input: RuntimeInput;
  readonly state: RuntimeState;
  readonly reloadConfig: () => Promise<void>;
  readonly hooks: HookRunner;
  /** Operator hooks and what plugins listen to beside hooks. */
  readonly events: InternalEvents;
  readonly sessionSide: SessionSide;
  readonly memory: Memory;
  readonly models: ModelRegistry;
  readonly builtIn: Model;
  readonly traces: RunTraces;
  /** Tools of other parts of the runtime, behind our own. */
  readonly addedTools: readonly AgentTool[];
  readonly conversations: ConversationOrigins;
  readonly plugins: PluginPort;
  readonly turns: TurnPort;
  /** Whether a person can answer what asks from elsewhere, where none can here. */
  readonly hasApprovers: () => boolean;
  /** Whether one may come. */
  readonly canWait: () => boolean;
}

/** Plugins are made of the core, and turns of the core ask them: never before one runs. */
interface PluginPort {
  /** Takes the secrets in the settings of plugins out of a text. */
  readonly redact: (text: string) => string;
  readonly skillFolders: () => readonly PluginSkillFolder[];
  /** What the host asks plugins for where the config names it. */
  readonly hostProviders: () => readonly HostProvider[];
  /** The context engine that the slot names. */
  readonly contextEngine: () => HostProvider | undefined;
  /** What the plugin in the memory slot does beside its tools. */
  readonly memoryCapability: () => MemoryCapability | undefined;
  readonly memorySupplements: () => readonly MemorySupplement[];
  /** The agent file that counts. */
  readonly agentFile: () => AgentFile | undefined;
}

/** Turns are made of the core, and its agents start and end them: never before one runs. */
export interface TurnPort {
  readonly current: Runs['current'];
  readonly start: StartAgentTurn;
  /** It belongs to the tenant that the code runs for. */
  readonly createSession: (agentId: string, chatId?: string, channel?: string) => Session;
  /** @throws PincerError `model_unknown` */
  readonly modelFor: (session: Session) => Model;
  /** Ends a session and removes its files. */
  readonly removeSession: (id: string) => Promise<void>;
  /** The tenant that the code runs for that asks now. */
  readonly tenant: () => Tenant | undefined;
}

/** What agents work with: their sessions, prompts and tools. */
export interface AgentCore extends SessionSide {
  readonly agents: AgentSide;
  readonly prompts: PromptSide;
  readonly tools: ToolSide;
  readonly imageReader: ImageReader;
  readonly contextManagerOf: ReturnType<typeof createContextManagers>;
  /** The context engine for a turn of a session; undefined where the slot names none that can be asked. */
  readonly openEngine: (session: Session) => OpenedEngine | undefined;
  /** What the memory plugin wants done before a conversation that this model reads is shortened. */
  readonly planFlush: (model: ModelInfo) => PlannedFlush | undefined;
  readonly taint: SessionTaint;
}

export function createAgentCore({ input, state, plugins, turns, ...parts }: AgentCoreParts): AgentCore {
  const { host, surface } = input;
  const { hooks, events, sessionSide, memory, models, builtIn, traces } = parts;
  const { layout, isTrusted, config, folders, report } = state;
  const redact = (text: string): string => redactKeys(plugins.redact(text));
  const findModel = (name: string): Model | undefined => models.find(name);
  const taint = createSessionTaint();
  const reportOfPlugin = (diagnostic: Diagnostic): void =>
    report({ ...diagnostic, message: redact(diagnostic.message) });
  const findHostProvider = (kind: HostProviderKind, id: string): HostProvider | undefined =>
    plugins.hostProviders().find((each) => each.kind === kind && each.id === id);

  const contextManagerOf = createContextManagers((session) => ({
    ...host,
    session,
    hooks,
    config: () => config().agent.compaction,
    findModel,
    findProvider: (id) => {
      const provider = findHostProvider('compaction provider', id);
      return provider === undefined ? undefined : toSummaryProvider(provider, { clock: host.clock, redact });
    },
    openEngine: () => openEngine(session),
    report,
    redact,
    judge: createSummaryCheck(hooks, session),
    internal: events,
    traces,
    surface,
  }));
  const openEngine = createEngines((session, opened) => {
    const provider = plugins.contextEngine();
    const workspaceDir = agents.folderOf(session);
    return (
      provider &&
      openContextEngine(provider, session, {
        clock: host.clock,
        redact,
        report: reportOfPlugin,
        workspaceDir,
        noteText: () => taint.read(session.id),
        ...opened,
      })
    );
  });
  const agents = createAgentSide({
    host,
    surface,
    conversations: parts.conversations,
    folders,
    config,
    hooks,
    sessions: sessionSide.sessions,
    inbox: sessionSide.inbox,
    models,
    builtIn,
    taint,
    currentTurn: turns.current,
    startTurn: turns.start,
    tenant: turns.tenant,
    removeSession: turns.removeSession,
    redact,
    signal: state.signal,
  });
  const prompts = createPromptSide({
    input,
    layout,
    isTrusted,
    config,
    events,
    skillFolders: plugins.skillFolders,
    async memoryPrompts(request) {
      const memory = plugins.memoryCapability();
      const own = memory === undefined ? undefined : buildMemoryPrompt(memory, request, reportOfPlugin);
      const options = { clock: host.clock, redact, report: reportOfPlugin };
      const added = await supplementPrompts(plugins.memorySupplements(), request, options);
      return own === undefined ? added : [own, ...added];
    },
    agentOf: agents.agentOf,
    folderOf: agents.folderOf,
    agentFile: plugins.agentFile,
    report,
  });
  const statusOf = ({ sessionId }: Turn): ConversationStatus => {
    const turn = turns.current(sessionId);
    return {
      agentId: turn?.session.agentId ?? 'main',
      model: turn?.model.info,
      hidden: turn?.hidden ?? [],
      use: turn === undefined ? undefined : contextManagerOf(turn.session).use(turn.model.info),
    };
  };
  const imageReader = createImageReader({
    clock: host.clock,
    configured: () => config().agent.imageModel,
    findModel,
    models: () => models.list(),
  });
  const tools = createToolSide({
    input,
    memory,
    layout,
    config,
    isTrusted,
    taint,
    statusOf,
    imageReader,
    agentSessions: agents.sessions,
    addedTools: parts.addedTools,
    skillTool: prompts.skillTool,
    nestedRules: prompts.nested,
    reloadConfig: parts.reloadConfig,
    hasApprovers: parts.hasApprovers,
    canWait: parts.canWait,
    report,
    hooks,
    pluginMemory() {
      const found = plugins.memoryCapability();
      return found === undefined ? undefined : toPluginMemory(found, { clock: host.clock, redact });
    },
    memorySupplements: () => toMemorySupplements(plugins.memorySupplements(), { clock: host.clock, redact }),
    webProvider: (tool, id) => {
      const provider = findHostProvider(`web ${tool} provider`, id);
      return provider === undefined ? undefined : toWebProvider(provider, { clock: host.clock, redact });
    },
  });
  return {
    ...sessionSide,
    agents,
    prompts,
    tools,
    imageReader,
    contextManagerOf,
    openEngine,
    planFlush: createFlushPlanner({
      clock: host.clock,
      config,
      findModel,
      plugin: plugins.memoryCapability,
      tool: (path) => tools.memoryTools.flush(path),
      redact,
      report: reportOfPlugin,
    }),
    taint,
  };
}

interface FlushParts {
  readonly clock: Clock;
  readonly config: () => PincerConfig;
  readonly findModel: (name: string) => Model | undefined;
  /** The plugin in the memory slot. */
  readonly plugin: () => MemoryCapability | undefined;
  /** What the plugin writes with, into this file alone. */
  readonly tool: (relativePath: string) => AgentTool;
  readonly redact: (text: string) => string;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Plans what the memory plugin wants done before a conversation is shortened; gives undefined where it wants nothing. */
function createFlushPlanner({ clock, config, findModel, plugin, tool, redact, report }: FlushParts) {
  return ({ contextWindow }: ModelInfo): PlannedFlush | undefined => {
    const memory = plugin();
    if (memory === undefined) return undefined;
    const plan = planFlush(memory, { nowMs: clock.now(), contextWindowTokens: contextWindow }, report);
    if (plan === undefined) return undefined;
    const { pluginId } = memory;
    const model = plan.model === undefined ? undefined : findModel(plan.model);
    if (plan.model !== undefined && (model === undefined || !isOfUser(model.info, config()))) {
      report(flushFailed(pluginId, `your config has no model ${plan.model}`));
      return undefined;
    }
    const said = { prompt: redact(plan.prompt), systemPrompt: redact(plan.systemPrompt) };
    return { ...said, pluginId, model, tool: tool(plan.relativePath) };
  };
}

/**
 * Threat: a plugin names a model of its own, and is sent the conversation. So what a plugin names is a model that the user's config has
 * chosen, or of a server that it has set up.
 */
function isOfUser({ provider, model }: ModelInfo, config: PincerConfig): boolean {
  const named = [
    config.model,
    ...config.agent.fallbacks,
    ...config.agents.list.flatMap((agent) => agent.model ?? []),
  ];
  return named.includes(`${provider}/${model}`) || Object.hasOwn(config.providers, provider);
}

/** Opens an engine for one turn. What another one of that session still does comes first. */
function createEngines(
  open: (session: Session, opened: Pick<ContextEngineDeps, 'broken' | 'before'>) => OpenedEngine | undefined,
): (session: Session) => OpenedEngine | undefined {
  const broken: ContextEngineDeps['broken'] = new WeakSet();
  const last = new WeakMap<Session, Promise<void>>();
  return (session) => {
    const engine = open(session, { broken, before: last.get(session) ?? Promise.resolve() });
    if (engine === undefined) return undefined;
    const takeUp = (turn: EndedTurn): Promise<void> => {
      const work = engine.takeUp(turn);
      last.set(session, work);
      return work;
    };
    return { ...engine, takeUp };
  };
}

/** The context manager of each session, made at the first need and gone with the session. */
function createContextManagers(
  depsFor: (session: Session) => ContextManagerDeps,
): (session: Session) => ContextManager {
  const managers = new WeakMap<Session, ContextManager>();
  return (session) => {
    const known = managers.get(session);
    if (known !== undefined) return known;
    const manager = createContextManager(depsFor(session));
    managers.set(session, manager);
    return manager;
  };
}
