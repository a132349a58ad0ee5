import { join } from 'node:path';
import type { RunHandle } from '../agent/turn.ts';
import { redactKeys } from '../base/secrets/redactKeys.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import { createForbidden, mayLead } from '../plugins/enablement.ts';
import type { PluginRecord } from '../plugins/pluginTypes.ts';
import type { HostProvider } from '../plugins/providers/pluginProvider.ts';
import { configJsonSchema } from '../config/configSchema.ts';
import { placed } from '../config/loadConfig.ts';
import { userConfigPath } from '../config/configPaths.ts';
import { describeConfig, withoutSecrets } from '../config/describeConfig.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Model } from '../contracts/model.ts';
import { createHookRegistry, createHookRunner } from '../hooks/hookRunner.ts';
import { createInternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import { createModelRegistry } from '../models/createModelRegistry.ts';
import { createGatewayTool } from '../gateway/gatewayTool.ts';
import { findIdlePatterns } from '../shell/commandPattern.ts';
import { createRunTraces } from '../traces/createRunTraces.ts';
import { unknownDefaultModel } from './configuredModels.ts';
import { createAgentCore, type TurnPort } from './createAgentCore.ts';
import { createSessionSide } from './createSessionSide.ts';
import { createBuiltIn } from './openModel.ts';
import { createPluginSide } from './createPluginSide.ts';
import { createChannelSide } from './createChannelSide.ts';
import { createGatewayPorts } from './createGatewayPorts.ts';
import { createGatewaySide } from './createGatewaySide.ts';
import { createMcpSide } from './createMcpSide.ts';
import { createOperatorSide } from './createOperatorSide.ts';
import type { TurnEvent, TurnRequest } from './createRuns.ts';
import type { SessionTranscriptUpdate } from '../sdk/types.ts';
import { createTurnSide } from './createTurnSide.ts';
import { createLoadQueue, createTurnQueue } from './createTurnQueue.ts';
import { memoryNotChanged, openMemory } from './openMemory.ts';
import { createPluginModels } from './pluginModels/createPluginModels.ts';
import type { RuntimeInput } from './runtime.ts';
import { createWindowState } from './createWindowState.ts';
import { createServedTools } from './createServedTools.ts';
import { createScheduleSide } from './createScheduleSide.ts';
import { createConfigReader, createWorkspaceLoads } from './createWorkspaceLoads.ts';
import { toTranscriptUpdate } from './pluginEventPayloads.ts';
import { unknownFallbacks } from './withFallbacks.ts';

/** How long views need not know that a turn began or ended. Nobody sees so little. Milliseconds. */
const viewsWaitMs = 40;

/** Everything that a runtime is made of. */
export type RuntimeParts = ReturnType<typeof createRuntimeParts>;

/**
 * Puts a runtime together, top-down: what holds in the window, memory and models, the core that plugins are handed, the plugins, how all
 * of it is loaded, and turns. Reads nothing yet.
 */
export function createRuntimeParts(input: RuntimeInput) {
  const { host, home, stateFolder } = input;

  // Four cycles are real. What is made further down is asked for here alone, and by nobody before the first load.
  // Plugins are handed sessions, agents and tools, which go by what plugins bring; so does the config, by the agent file of Dexto.
  const fromPlugins = {
    problem: (): Diagnostic | undefined => dexto.plugins.problem() ?? plugins.problem(),
    agentFile: () => dexto.plugins.agentFile(),
    list: () => plugins.plugins(),
    channels: () => plugins.channels(),
    report: (diagnostic: Diagnostic) => plugins.report(diagnostic),
    redact: (text: string) => plugins.redact(text),
    transcriptUpdate: (update: () => SessionTranscriptUpdate | undefined) => plugins.transcriptUpdate(update),
    skillFolders: () => plugins.skillFolders(),
    hostProviders: () => plugins.hostProviders(),
    contextEngine: () => plugins.contextEngine(),
    memoryCapability: () => plugins.memoryCapability(),
    memorySupplements: () => plugins.memorySupplements(),
  };
  // The tools of jobs and channels are tools of the core, and both go by its agents and approvals; the config by the names of its tools.
  const fromCore = {
    toolNames: () => core.tools.core.map(({ name }) => name),
    approvals: () => core.tools.approvals,
    agentFor: (wanted: string | undefined) => core.agents.idFor(wanted),
  };
  // Turns work with tools, and tools, jobs and channels begin turns.
  const startTurn = (request: TurnRequest): Promise<RunHandle> => turns.startTurn(request);
  const fromTurns: TurnPort = {
    current: (id) => turns.runs.current(id),
    start: (request) => startTurn({ attachments: [], ...request }),
    createSession: (...origin) => turns.createSession(...origin),
    modelFor: (session) => turns.modelFor(session),
    removeSession: (id) => turns.removeSession(id),
    tenant: () => turns.tenantNow(),
  };
  // Who uses the gateway answers approvals, which ask whether anybody is there; it is a tool, too.
  const fromGateway = {
    isRunning: () => gatewaySide.gateway.status().state === 'running',
    hasApprovers: () => gatewaySide.hasApprovers(),
    tool: {
      status: () => gatewaySide.gateway.status(),
      clients: () => gatewaySide.gateway.clients(),
      running: () => queue.running(),
      restartSoon(startedAt: number) {
        gatewaySide.gateway.noteRestart(startedAt);
        void queue.betweenTurns(() => gatewaySide.gateway.restart(startedAt));
      },
    },
  };

  const changed: Emitter<void> = createEmitter();
  const loading = createLoadQueue();
  const models = createModelRegistry();
  const window = createWindowState({
    input,
    changed,
    models,
    agentFile: fromPlugins.agentFile,
    ownTools: fromCore.toolNames,
    missingGuard: fromPlugins.problem,
  });
  const configReader = createConfigReader({ input, window, changed, models, loading });
  const embedder = (id: string): HostProvider | undefined =>
    fromPlugins.hostProviders().find((each) => each.kind === 'embedding provider' && each.id === id);
  const memory = openMemory({ ...window, input, embedder, redact: fromPlugins.redact });
  const refreshMemory = (): void =>
    void memory.reconfigure().catch((error: unknown) => window.report(memoryNotChanged(error)));
  const builtIn = createBuiltIn(input, memory);
  models.register(builtIn);
  const defaultModel = (): Model => models.find(window.config().model ?? 'built-in') ?? builtIn;
  const redact = (text: string): string => redactKeys(fromPlugins.redact(text));
  const traces = createRunTraces({ ...host, folder: join(stateFolder, 'traces'), redact });

  const registry = createHookRegistry();
  const { report } = fromPlugins;
  const forbidden = createForbidden(() => window.config().plugins, fromPlugins.list, changed.event);
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
    onStored: (session, entry) => fromPlugins.transcriptUpdate(() => toTranscriptUpdate(session, entry)),
    report: window.report,
  });
  const { sessions } = sessionSide;

  const turnsOfSessions = {
    modelFor: fromTurns.modelFor,
    openSession: (id: string) => sessions.open(id),
    sessionOfKey: (key: string) => sessions.ofKey(key),
  };
  const channels = createChannelSide({
    input,
    state: window,
    reloadConfig: configReader.reload,
    plugins: fromPlugins.channels,
    needsGateway: (pluginId) => !fromGateway.isRunning() && hasRoutes(fromPlugins.list(), pluginId),
    hooks,
    redact: fromPlugins.redact,
    turns: {
      ...turnsOfSessions,
      startTurn,
      createSession: (agentId, channel, chatId) => fromTurns.createSession(agentId, chatId, channel),
      findModel: (name) => models.find(name),
      approvals: fromCore.approvals,
    },
  });
  changed.event(() => channels.sync());
  const schedule = createScheduleSide({
    input,
    state: window,
    onDidChange: changed.event,
    announce: channels.announce,
    hooks,
    mayLead: (pluginId) => mayLead(fromPlugins.list(), window.config().plugins, pluginId),
    turns: {
      ...turnsOfSessions,
      startTurn: fromTurns.start,
      createSession: (agentId) => fromTurns.createSession(fromCore.agentFor(agentId)),
    },
  });
  const core = createAgentCore({
    input,
    state: window,
    reloadConfig: configReader.reload,
    hooks,
    events,
    sessionSide,
    addedTools: [
      schedule.tool,
      channels.tool,
      createGatewayTool({
        ...fromGateway.tool,
        config: () => withoutSecrets(describeConfig(window.config(), window.folders()[0])),
        configSchema: configJsonSchema,
        layout: window.layout,
      }),
    ],
    conversations: channels.origins,
    hasApprovers: fromGateway.hasApprovers,
    canWait: fromGateway.isRunning,
    memory,
    models,
    builtIn,
    traces,
    plugins: fromPlugins,
    turns: fromTurns,
  });
  configReader.onRead(() => core.tools.commands.refresh());
  configReader.onRead(refreshMemory);
  const mcp = createMcpSide({
    input,
    window,
    core,
    plugins: fromPlugins.list,
    agentFile: fromPlugins.agentFile,
    redact,
  });
  mcp.onDidChange(() => changed.fire());
  configReader.onFiles((fs) => mcp.refresh(fs));

  const { plugins, dexto, consents } = createPluginSide({
    input,
    state: window,
    core,
    models,
    builtIn,
    traces,
    registry,
    hooks,
    forbidden,
    schedule: schedule.forPlugins,
    channels,
    config: { last: window.loaded, read: configReader.readFiles },
    mcpServers: () => mcp.list(),
    toolsOf: (sessionId) => fromTurns.current(sessionId)?.tools ?? [],
  });
  const operator = createOperatorSide({
    host,
    home,
    stateFolder,
    plugins,
    events,
    consents,
    report: window.report,
  });
  let lastEmbedder: HostProvider | undefined;
  plugins.onDidChange(() => {
    void mcp.pluginsLoaded();
    const found = embedder(window.config().memory.embeddings.provider);
    // Each load makes the record anew; the function is that of the registration.
    if (found?.run === lastEmbedder?.run) return;
    lastEmbedder = found;
    refreshMemory();
  });
  const pluginModels = createPluginModels({ models, plugins, host, changed: () => changed.fire() });
  const loads = createWorkspaceLoads({
    input,
    window,
    changed,
    configReader,
    plugins,
    operator,
    mcp,
    pluginModels,
  });

  const queue = createTurnQueue(
    host.clock,
    // Once the model is asked, mostly: what views make of it would hold the turn up.
    () => void setTimeout(() => changed.fire(), viewsWaitMs).unref(),
    loads.takeOver,
    loads.isOutdated,
    loading,
  );
  const turnEvents: Emitter<TurnEvent> = createEmitter();
  const turns = createTurnSide({
    told: (turn) => turnEvents.fire(turn),
    input,
    state: window,
    core,
    plugins,
    mcp,
    dexto,
    events,
    models,
    traces,
    queue,
    takeDenials: configReader.takeDenials,
    defaultModel,
  });
  const diagnostics = (): readonly Diagnostic[] => {
    const { config } = window.loaded();
    const path = userConfigPath(home);
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
  };
  const served = createServedTools({
    input,
    state: window,
    core,
    plugins,
    traces,
    turns,
    queue,
    config: () => window.config().mcp,
    knows: {
      plugins: () => plugins.plugins(),
      servers: () => mcp.list(),
      diagnostics,
    },
  });
  const gatewaySide = createGatewaySide({
    input,
    state: window,
    plugins,
    ports: createGatewayPorts({
      input,
      state: window,
      core,
      plugins,
      models,
      traces,
      turns,
      onTurnEvent: turnEvents.event,
      served,
      channels: channels.channels,
    }),
  });
  gatewaySide.gateway.onDidChange(() => channels.sync());
  return {
    input,
    changed,
    queue,
    window,
    configReader,
    events,
    memory,
    refreshMemory,
    models,
    defaultModel,
    traces,
    core,
    plugins,
    dexto,
    mcp,
    operator,
    pluginModels,
    loads,
    turns,
    diagnostics,
    served,
    gateway: gatewaySide.gateway,
    schedule,
    channels,
  };
}

/** True for a plugin that has registered routes. */
function hasRoutes(plugins: readonly PluginRecord[], pluginId: string): boolean {
  return plugins.some(
    ({ id, registrations }) => id === pluginId && (registrations['http route'] ?? []).length > 0,
  );
}
