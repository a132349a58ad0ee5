import { redactKeys } from '../base/secrets/redactKeys.ts';
import type { StartAgentTurn } from '../agents/agentTurn.ts';
import type { Tenant } from '../contracts/session.ts';
import type { Model } from '../contracts/model.ts';
import type { CallIdentity } from '../contracts/tool.ts';
import type { ModelRegistry } from '../models/createModelRegistry.ts';
import type { Memory } from '../memory/memory.ts';
import { createSessionTaint, type SessionTaint } from '../net/createSessionTaint.ts';
import type { DextoPlugins } from '../dexto/load/dextoPlugins.ts';
import type { PluginManager } from '../plugins/pluginManager.ts';
import type { RunTraces } from '../traces/createRunTraces.ts';
import { createAgentSide, type AgentSide } from './createAgentSide.ts';
import { createImageReader } from './createImageReader.ts';
import { createKeepers } from './createKeepers.ts';
import type { OperatorSide } from './createOperatorSide.ts';
import { createPromptSide, type PromptSide } from './createPromptSide.ts';
import type { Runs } from './createRuns.ts';
import { createSessionSide, type SessionSide } from './createSessionSide.ts';
import { createToolSide, type ToolSide } from './createToolSide.ts';
import type { ConversationStatus } from './describeSession.ts';
import { createSummaryCheck } from './checkOutsideTurns.ts';
import type { RuntimeInput } from './runtime.ts';
import type { RuntimeState } from './runtimeState.ts';
import { tellOfPatch } from './tellOfPatch.ts';

export interface AgentCoreParts {
  readonly input: RuntimeInput;
  readonly state: RuntimeState;
  readonly memory: Memory;
  readonly models: ModelRegistry;
  readonly builtIn: Model;
  readonly traces: RunTraces;
  /** What is made of this core; asked for when a turn runs, never before. */
  readonly later: {
    readonly plugins: () => PluginManager;
    readonly operator: () => OperatorSide;
    readonly runs: () => Runs;
    readonly startTurn: StartAgentTurn;
    readonly removeSession: (id: string) => Promise<void>;
    /** Reads the config again after it was changed. */
    readonly reloadConfig: () => Promise<void>;
    readonly dexto: () => DextoPlugins;
    /** The tenant that the code runs for that asks now. */
    readonly tenant: () => Tenant | undefined;
  };
}

/** What agents work with: their sessions, prompts and tools. */
export interface AgentCore extends SessionSide {
  readonly agents: AgentSide;
  readonly prompts: PromptSide;
  readonly tools: ToolSide;
  readonly keeperOf: ReturnType<typeof createKeepers>;
  readonly taint: SessionTaint;
}

export function createAgentCore({ input, state, later, ...parts }: AgentCoreParts): AgentCore {
  const { host, surface } = input;
  const { memory, models, builtIn, traces } = parts;
  const { layout, isTrusted, config, folders, report } = state;
  const hooks = (): PluginManager['hooks'] => later.plugins().hooks;
  const redact = (text: string): string => redactKeys(later.plugins().redact(text));
  const findModel = (name: string): Model | undefined => models.find(name);
  const taint = createSessionTaint();

  const sessionSide = createSessionSide({
    input,
    redact,
    patched: (change) => tellOfPatch(later.operator().events, change),
    report,
  });
  const keeperOf = createKeepers((session) => ({
    ...host,
    session,
    hooks: hooks(),
    config: () => config().agent.compaction,
    findModel,
    redact,
    judge: createSummaryCheck(hooks(), session),
    internal: later.operator().events,
    traces,
    surface,
  }));
  const agents = createAgentSide({
    host,
    surface,
    folders,
    config,
    hooks,
    sessions: sessionSide.sessions,
    inbox: sessionSide.inbox,
    models,
    builtIn,
    taint,
    currentTurn: (id) => later.runs().current(id),
    startTurn: later.startTurn,
    tenant: later.tenant,
    removeSession: later.removeSession,
    redact,
    signal: state.signal,
  });
  const prompts = createPromptSide({
    input,
    layout,
    isTrusted,
    config,
    plugins: later.plugins,
    events: () => later.operator().events,
    agentOf: agents.agentOf,
    folderOf: agents.folderOf,
    agentFile: () => later.dexto().agentFile(),
    report,
  });
  const statusOf = ({ sessionId }: CallIdentity): ConversationStatus => {
    const turn = later.runs().current(sessionId);
    return {
      agentId: turn?.session.agentId ?? 'main',
      model: turn?.model.info,
      hidden: turn?.hidden ?? [],
      use: turn === undefined ? undefined : keeperOf(turn.session).use(turn.model.info),
    };
  };
  const tools = createToolSide({
    input,
    memory,
    layout,
    config,
    isTrusted,
    taint,
    statusOf,
    imageReader: createImageReader({
      clock: host.clock,
      configured: () => config().agent.imageModel,
      findModel,
      models: () => models.list(),
    }),
    agentSessions: agents.sessions,
    skillTool: prompts.skillTool,
    nestedRules: prompts.nested,
    reloadConfig: later.reloadConfig,
    report,
    hooks,
  });
  return { ...sessionSide, agents, prompts, tools, keeperOf, taint };
}
