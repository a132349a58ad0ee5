import { join } from 'node:path';
import type { RunHandle } from '../agent/turn.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import { redactKeys } from '../base/secrets/redactKeys.ts';
import { userConfigPath } from '../config/configPaths.ts';
import { configJsonSchema } from '../config/configSchema.ts';
import { describeConfig, withoutSecrets } from '../config/describeConfig.ts';
import { placed } from '../config/loadConfig.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Model } from '../contracts/model.ts';
import type { DextoSide } from '../dexto/createDextoSide.ts';
import { createGatewayTool } from '../gateway/gatewayTool.ts';
import { createHookRegistry, createHookRunner } from '../hooks/hookRunner.ts';
import { createModelRegistry } from '../models/createModelRegistry.ts';
import { createForbidden, mayLead } from '../plugins/enablement.ts';
import { createInternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import type { PluginRecord } from '../plugins/pluginTypes.ts';
import type { HostProvider } from '../plugins/providers/pluginProvider.ts';
import type { SessionTranscriptUpdate } from '../sdk/types.ts';
import { findIdlePatterns } from '../shell/commandPattern.ts';
import { createRunTraces } from '../traces/createRunTraces.ts';
import { unknownDefaultModel } from './configuredModels.ts';
import { createAgentCore, type AgentCore, type TurnPort } from './createAgentCore.ts';
import { createChannelSide } from './createChannelSide.ts';
import { createGatewayPorts } from './createGatewayPorts.ts';
import { createGatewaySide, type GatewaySide } from './createGatewaySide.ts';
import { createMcpSide } from './createMcpSide.ts';
import { createOperatorSide } from './createOperatorSide.ts';
import { createPluginSide } from './createPluginSide.ts';
import type { TurnEvent, TurnRequest } from './createRuns.ts';
import { createScheduleSide } from './createScheduleSide.ts';
import { createServedTools } from './createServedTools.ts';
import { createSessionSide } from './createSessionSide.ts';
import { createLoadQueue, createTurnQueue, type TurnQueue } from './createTurnQueue.ts';
import { createTurnSide, type TurnSide } from './createTurnSide.ts';
import { createWindowState } from './createWindowState.ts';
import { createConfigReader, createWorkspaceLoads } from './createWorkspaceLoads.ts';
import type { AllPlugins } from './joinDialects.ts';
import { memoryNotChanged, openMemory } from './openMemory.ts';
import { createBuiltIn } from './openModel.ts';
import { toTranscriptUpdate } from './pluginEventPayloads.ts';
import { createPluginModels } from './pluginModels/createPluginModels.ts';
import type { RuntimeInput } from './runtime.ts';
import { unknownFallbacks } from './withFallbacks.ts';

/** Views hear this much later that a turn began or ended: too little to be seen. Milliseconds. */
const viewsWaitMs = 40;

/** Everything that a runtime is made of. */
export type RuntimeParts = ReturnType<typeof createRuntimeParts>;

/** Puts a runtime together, stage by stage; each is made of those before it. Reads nothing yet. */
export function createRuntimeParts(input: RuntimeInput) {
  // Four cycles are real: `ahead` alone reaches what a later stage makes, and nobody asks it before the first load.
  const ahead = lookAhead({
    plugins: () => extensions.plugins,
    dexto: () => extensions.dexto,
    core: () => core,
    turns: () => turnParts.turns,
    queue: () => turnParts.queue,
    gateway: () => outlets.gatewaySide,
  });
  const window = createWindowParts(input, ahead);
  const starters = createStarters(window, ahead);
  const core = createCore(window, starters, ahead);
  const extensions = createExtensions({ ...window, ...starters, core }, ahead);
  const turnParts = createTurns({ ...window, ...extensions, core });
  const diagnostics = () => findDiagnostics({ ...window, ...extensions, core });
  const outlets = createOutlets({ ...window, ...starters, ...extensions, ...turnParts, core, diagnostics });
  return { ...window, ...starters, ...extensions, ...turnParts, ...outlets, core, diagnostics };
}

interface LaterParts {
  readonly plugins: () => AllPlugins;
  readonly dexto: () => DextoSide;
  readonly core: () => AgentCore;
  readonly turns: () => TurnSide;
  readonly queue: () => TurnQueue;
  readonly gateway: () => GatewaySide;
}

type Ahead = ReturnType<typeof lookAhead>;

function lookAhead({ plugins, dexto, core, turns, queue, gateway }: LaterParts) {
  const startTurn = (request: TurnRequest): Promise<RunHandle> => turns().startTurn(request);
  const turnPort: TurnPort = {
    current: (id) => turns().runs.current(id),
    start: (request) => startTurn({ attachments: [], ...request }),
    createSession: (...origin) => turns().createSession(...origin),
    modelFor: (session) => turns().modelFor(session),
    removeSession: (id) => turns().removeSession(id),
    tenant: () => turns().tenantNow(),
  };
  return {
    // Plugins are handed sessions, agents and tools, which go by what plugins bring; so does the config, by the agent file of Dexto.
    plugins: {
      problem: (): Diagnostic | undefined => dexto().plugins.problem() ?? plugins().problem(),
      agentFile: () => dexto().plugins.agentFile(),
      list: () => plugins().plugins(),
      channels: () => plugins().channels(),
      report: (diagnostic: Diagnostic) => plugins().report(diagnostic),
      redact: (text: string) => plugins().redact(text),
      transcriptUpdate: (update: () => SessionTranscriptUpdate | undefined) =>
        plugins().transcriptUpdate(update),
      skillFolders: () => plugins().skillFolders(),
      hostProviders: () => plugins().hostProviders(),
      contextEngine: () => plugins().contextEngine(),
      memoryCapability: () => plugins().memoryCapability(),
      memorySupplements: () => plugins().memorySupplements(),
    },
    // The tools of jobs and channels are tools of the core, and both go by its agents and approvals; the config by the names of its tools.
    core: {
      toolNames: () => core().tools.core.map(({ name }) => name),
      approvals: () => core().tools.approvals,
      agentFor: (wanted: string | undefined) => core().agents.idFor(wanted),
    },
    // Turns work with tools, and tools, jobs and channels begin turns.
    startTurn,
    turns: turnPort,
    // Who uses the gateway answers approvals, which ask whether anybody is there; it is a tool, too.
    gateway: {
      isRunning: () => gateway().gateway.status().state === 'running',
      hasApprovers: () => gateway().hasApprovers(),
      tool: {
        status: () => gateway().gateway.status(),
        clients: () => gateway().gateway.clients(),
        running: () => queue().running(),
        restartSoon(startedAt: number) {
          gateway().gateway.noteRestart(startedAt);
          void queue().betweenTurns(() => gateway().gateway.restart(startedAt));
        },
      },
    },
  };
}

type WindowParts = ReturnType<typeof createWindowParts>;

/** What holds in the window: its config, models, memory, traces, hooks and sessions. */
function createWindowParts(input: RuntimeInput, { plugins, core }: Ahead) {
  const { host, stateFolder } = input;
  const changed: Emitter<void> = createEmitter();
  const loading = createLoadQueue();
  const models = createModelRegistry();
  const window = createWindowState({
    input,
    changed,
    models,
    agentFile: plugins.agentFile,
    ownTools: core.toolNames,
    missingGuard: plugins.problem,
  });
  const configReader = createConfigReader({ input, window, changed, models, loading });
  const embedder = (id: string): HostProvider | undefined =>
    plugins.hostProviders().find((each) => each.kind === 'embedding provider' && each.id === id);
  const memory = openMemory({ ...window, input, embedder, redact: plugins.redact });
  const refreshMemory = (): void =>
    void memory.reconfigure().catch((error: unknown) => window.report(memoryNotChanged(error)));
  const builtIn = createBuiltIn(input, memory);
  models.register(builtIn);
  const defaultModel = (): Model => models.find(window.config().model ?? 'built-in') ?? builtIn;
  const redact = (text: string): string => redactKeys(plugins.redact(text));
  const traces = createRunTraces({ ...host, folder: join(stateFolder, 'traces'), redact });

  const registry = createHookRegistry();
  const { report } = plugins;
  const forbidden = createForbidden(() => window.config().plugins, plugins.list, changed.event);
  const hooks = createHookRunner({
    registry,
    clock: host.clock,
    report,
    trace: traces.hookCalled,
    forbidden,
  });
  const events = createInternalEvents({
    clock: host.clock,
    report: window.report,
    hooks: { registry, runner: hooks },
  });
  const sessionSide = createSessionSide({
    input,
    redact,
    events,
    onStored: (session, entry) => plugins.transcriptUpdate(() => toTranscriptUpdate(session, entry)),
    report: window.report,
  });
  return {
    input,
    changed,
    loading,
    models,
    window,
    configReader,
    embedder,
    memory,
    refreshMemory,
    builtIn,
    defaultModel,
    redact,
    traces,
    registry,
    forbidden,
    hooks,
    events,
    sessionSide,
  };
}

type Starters = ReturnType<typeof createStarters>;

/** What begins turns by itself: messages of channels, and jobs. */
function createStarters(
  { input, window, configReader, changed, models, hooks, sessionSide: { sessions } }: WindowParts,
  { plugins, core, gateway, startTurn, turns }: Ahead,
) {
  const turnsOfSessions = {
    modelFor: turns.modelFor,
    openSession: (id: string) => sessions.open(id),
    sessionOfKey: (key: string) => sessions.ofKey(key),
  };
  const channels = createChannelSide({
    input,
    state: window,
    reloadConfig: configReader.reload,
    plugins: plugins.channels,
    needsGateway: (pluginId) => !gateway.isRunning() && hasRoutes(plugins.list(), pluginId),
    hooks,
    redact: plugins.redact,
    turns: {
      ...turnsOfSessions,
      startTurn,
      createSession: (agentId, channel, chatId) => turns.createSession(agentId, chatId, channel),
      findModel: (name) => models.find(name),
      approvals: core.approvals,
    },
  });
  changed.event(() => channels.sync());
  const schedule = createScheduleSide({
    input,
    state: window,
    onDidChange: changed.event,
    announce: channels.announce,
    hooks,
    mayLead: (pluginId) => mayLead(plugins.list(), window.config().plugins, pluginId),
    turns: {
      ...turnsOfSessions,
      startTurn: turns.start,
      createSession: (agentId) => turns.createSession(core.agentFor(agentId)),
    },
  });
  return { channels, schedule };
}

/** What agents work with, and plugins are handed. */
function createCore(parts: WindowParts, { channels, schedule }: Starters, ahead: Ahead): AgentCore {
  const { window, configReader } = parts;
  const core = createAgentCore({
    ...parts,
    state: window,
    reloadConfig: configReader.reload,
    addedTools: [
      schedule.tool,
      channels.tool,
      createGatewayTool({
        ...ahead.gateway.tool,
        config: () => withoutSecrets(describeConfig(window.config(), window.folders()[0])),
        configSchema: configJsonSchema,
        layout: window.layout,
      }),
    ],
    conversations: channels.origins,
    hasApprovers: ahead.gateway.hasApprovers,
    canWait: ahead.gateway.isRunning,
    plugins: ahead.plugins,
    turns: ahead.turns,
  });
  configReader.onRead(() => core.tools.commands.refresh());
  configReader.onRead(parts.refreshMemory);
  return core;
}

type Extensions = ReturnType<typeof createExtensions>;

/** What others bring: MCP servers, plugins of both dialects, operator hooks; and how all of it is loaded. */
function createExtensions(parts: WindowParts & Starters & { readonly core: AgentCore }, ahead: Ahead) {
  const { input, window, changed, configReader, models } = parts;
  const mcp = createMcpSide({
    ...parts,
    plugins: ahead.plugins.list,
    agentFile: ahead.plugins.agentFile,
  });
  mcp.onDidChange(() => changed.fire());
  configReader.onFiles((fs) => mcp.refresh(fs));

  const { plugins, dexto, consents } = createPluginSide({
    ...parts,
    state: window,
    schedule: parts.schedule.forPlugins,
    config: { last: window.loaded, read: configReader.readFiles },
    mcpServers: () => mcp.list(),
    toolsOf: (sessionId) => ahead.turns.current(sessionId)?.tools ?? [],
  });
  const operator = createOperatorSide({
    ...input,
    plugins,
    events: parts.events,
    consents,
    report: window.report,
  });
  let lastEmbedder: HostProvider | undefined;
  plugins.onDidChange(() => {
    void mcp.pluginsLoaded();
    const found = parts.embedder(window.config().memory.embeddings.provider);
    // Each load makes the record anew; the function is that of the registration.
    if (found?.run === lastEmbedder?.run) return;
    lastEmbedder = found;
    parts.refreshMemory();
  });
  const pluginModels = createPluginModels({
    models,
    plugins,
    host: input.host,
    changed: () => changed.fire(),
  });
  const loads = createWorkspaceLoads({ ...parts, plugins, operator, mcp, pluginModels });
  return { mcp, plugins, dexto, operator, pluginModels, loads };
}

/** Turns, and the queue in which they and loads take turns. */
function createTurns(parts: WindowParts & Extensions & { readonly core: AgentCore }) {
  const { input, window, changed, loads, configReader } = parts;
  const queue = createTurnQueue(
    input.host.clock,
    // Once the model is asked, mostly: what views make of it would hold the turn up.
    () => void setTimeout(() => changed.fire(), viewsWaitMs).unref(),
    loads.takeOver,
    loads.isOutdated,
    parts.loading,
  );
  const turnEvents: Emitter<TurnEvent> = createEmitter();
  const turns = createTurnSide({
    ...parts,
    state: window,
    queue,
    takeDenials: configReader.takeDenials,
    told: (turn) => turnEvents.fire(turn),
  });
  return { queue, turnEvents, turns };
}

/** What is wrong in this window, each at its place. */
function findDiagnostics(
  parts: WindowParts & Extensions & { readonly core: AgentCore },
): readonly Diagnostic[] {
  const { input, window, models, pluginModels, core, plugins, operator, mcp } = parts;
  const { config } = window.loaded();
  const path = userConfigPath(input.home);
  const all = [
    ...window.configProblems(),
    ...unknownDefaultModel(models, config.model, path),
    ...findIdlePatterns(config.tools.exec.allow, path),
    ...unknownFallbacks(models, config, path),
    ...pluginModels.diagnostics(),
    ...core.agents.problems(),
    ...plugins.diagnostics(),
    ...operator.diagnostics(),
    ...mcp.diagnostics(),
    ...window.problems(),
  ];
  return all.map((each) => placed(each, window.loaded()));
}

interface OutletParts extends WindowParts, Starters, Extensions, ReturnType<typeof createTurns> {
  readonly core: AgentCore;
  readonly diagnostics: () => readonly Diagnostic[];
}

/** What programs outside of this one reach: tools over MCP, and the gateway. */
function createOutlets(parts: OutletParts) {
  const { window, channels, plugins, mcp } = parts;
  const served = createServedTools({
    ...parts,
    state: window,
    config: () => window.config().mcp,
    knows: {
      plugins: () => plugins.plugins(),
      servers: () => mcp.list(),
      diagnostics: parts.diagnostics,
    },
  });
  const gatewaySide = createGatewaySide({
    ...parts,
    state: window,
    ports: createGatewayPorts({
      ...parts,
      state: window,
      onTurnEvent: parts.turnEvents.event,
      served,
      channels: channels.channels,
    }),
  });
  const { gateway } = gatewaySide;
  gateway.onDidChange(() => channels.sync());
  return { served, gatewaySide, gateway };
}

/** True for a plugin that has registered routes. */
function hasRoutes(plugins: readonly PluginRecord[], pluginId: string): boolean {
  return plugins.some(
    ({ id, registrations }) => id === pluginId && (registrations['http route'] ?? []).length > 0,
  );
}
