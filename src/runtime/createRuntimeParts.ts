import { join } from 'node:path';
import { redactKeys } from '../base/secrets/redactKeys.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import type { PluginRecord, PluginsConfig } from '../plugins/pluginTypes.ts';
import type { HostProvider } from '../plugins/providers/pluginProvider.ts';
import { userConfigPath } from '../config/configPaths.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Model } from '../contracts/model.ts';
import { createModelRegistry } from '../models/createModelRegistry.ts';
import { findIdlePatterns } from '../shell/commandPattern.ts';
import { createRunTraces } from '../traces/createRunTraces.ts';
import { unknownDefaultModel } from './configuredModels.ts';
import { createAgentCore } from './createAgentCore.ts';
import { createBuiltIn } from './openModel.ts';
import { createPluginSide } from './createPluginSide.ts';
import { createChannelSide } from './createChannelSide.ts';
import { createGatewayPorts } from './createGatewayPorts.ts';
import { createGatewaySide } from './createGatewaySide.ts';
import { createMcpSide } from './createMcpSide.ts';
import { createOperatorSide } from './createOperatorSide.ts';
import type { TurnEvent } from './createRuns.ts';
import { createTurnSide } from './createTurnSide.ts';
import { createEffectiveConfig } from '../dexto/createEffectiveConfig.ts';
import { createTurnQueue } from './createTurnQueue.ts';
import { memoryNotChanged, openMemory } from './openMemory.ts';
import { createPluginModels } from './pluginModels/createPluginModels.ts';
import type { RuntimeInput } from './runtime.ts';
import { createWindowState } from './createWindowState.ts';
import { createServedTools } from './createServedTools.ts';
import { createScheduleSide } from './createScheduleSide.ts';
import { createWorkspaceLoads } from './createWorkspaceLoads.ts';
import { unknownFallbacks } from './withFallbacks.ts';

/** How long views need not know that a turn began or ended. Nobody sees so little. Milliseconds. */
const viewsWaitMs = 40;

/** Everything that a runtime is made of. */
export type RuntimeParts = ReturnType<typeof createRuntimeParts>;

/**
 * Puts a runtime together, top-down: what holds in the window, memory and models, the core that plugins are handed, the plugins, how all
 * of it is loaded, and turns. Reads nothing yet. What two parts need of each other, the earlier asks for when it needs it.
 */
export function createRuntimeParts(input: RuntimeInput) {
  const { host, home, stateFolder } = input;
  const changed: Emitter<void> = createEmitter();
  const queue = createTurnQueue(
    host.clock,
    // Once the model is asked, mostly: what views make of it would hold the turn up.
    () => void setTimeout(() => changed.fire(), viewsWaitMs).unref(),
    (isInTime) => loads.takeOver(isInTime),
    () => loads.isOutdated(),
  );
  const window = createWindowState({
    input,
    changed,
    config: () => effective.get(),
    reloadConfig: () => queue.atOnce(loads.readConfig),
    missingGuard: () => dexto.plugins.problem() ?? plugins.problem(),
  });
  const effective = createEffectiveConfig({
    config: () => window.loaded().config,
    file: () => dexto.plugins.agentFile(),
    known: () => ({
      tools: core.tools.core.map(({ name }) => name),
      models: models.list().map(({ info }) => info),
    }),
  });
  const embedder = (id: string): HostProvider | undefined =>
    plugins.hostProviders().find((each) => each.kind === 'embedding provider' && each.id === id);
  const memory = openMemory({ ...window, input, embedder, redact: (text) => plugins.redact(text) });
  const refreshMemory = (): void =>
    void memory.reconfigure().catch((error: unknown) => window.report(memoryNotChanged(error)));
  const builtIn = createBuiltIn(input, memory);
  const models = createModelRegistry();
  models.register(builtIn);
  models.onDidChange(() => effective.invalidate());
  const defaultModel = (): Model => models.find(window.config().model ?? 'built-in') ?? builtIn;
  const traces = createRunTraces({
    ...host,
    folder: join(stateFolder, 'traces'),
    redact: (text) => redactKeys(plugins.redact(text)),
  });

  const schedule = createScheduleSide({
    input,
    state: window,
    onDidChange: changed.event,
    announce: (delivery, text, run) => channels.announce(delivery, text, run),
    hooks: () => plugins.hooks,
    mayLead: (pluginId) => mayLead(plugins.plugins(), window.config().plugins, pluginId),
    turns: () => ({
      startTurn: (request) => turns.startTurn({ attachments: [], ...request }),
      createSession: (agentId) => turns.createSession(core.agents.idFor(agentId)),
      openSession: (id) => core.sessions.open(id),
      sessionOfKey: (key) => core.sessions.ofKey(key),
      modelFor: (session) => turns.modelFor(session),
    }),
  });
  const channels = createChannelSide({
    input,
    state: window,
    plugins: () => plugins.channels(),
    needsGateway: (pluginId) =>
      gatewaySide.gateway.status().state !== 'running' &&
      plugins
        .plugins()
        .some(({ id, registrations }) => id === pluginId && (registrations['http route'] ?? []).length > 0),
    hooks: () => plugins.hooks,
    redact: (text) => plugins.redact(text),
    turns: () => ({
      startTurn: (request) => turns.startTurn(request),
      createSession: (agentId, channel, chatId) => turns.createSession(agentId, chatId, channel),
      openSession: (id) => core.sessions.open(id),
      sessionOfKey: (key) => core.sessions.ofKey(key),
      modelFor: (session) => turns.modelFor(session),
      findModel: (name) => models.find(name),
      approvals: core.tools.approvals,
    }),
  });
  changed.event(() => channels.sync());
  const core = createAgentCore({
    input,
    addedTools: [schedule.tool, channels.tool],
    conversations: channels.origins,
    hasApprovers: () => gatewaySide.hasApprovers(),
    canWait: () => gatewaySide.gateway.status().state === 'running',
    state: window,
    memory,
    models,
    builtIn,
    traces,
    plugins: {
      hooks: () => plugins.hooks,
      events: () => operator.events,
      redact: (text) => plugins.redact(text),
      skillFolders: () => plugins.skillFolders(),
      hostProviders: () => plugins.hostProviders(),
      contextEngine: () => plugins.contextEngine(),
      memoryCapability: () => plugins.memoryCapability(),
      memorySupplements: () => plugins.memorySupplements(),
      agentFile: () => dexto.plugins.agentFile(),
    },
    turns: {
      current: (id) => turns.runs.current(id),
      start: (request) => turns.startTurn({ attachments: [], ...request }),
      removeSession: (id) => turns.removeSession(id),
      tenant: () => turns.tenantNow(),
    },
  });
  const { plugins, dexto, registry, consents } = createPluginSide({
    input,
    state: window,
    core,
    models,
    builtIn,
    traces,
    schedule: schedule.forPlugins,
    channels,
    config: { last: window.loaded, read: () => loads.readFiles() },
    mcpServers: () => mcp.list(),
    toolsOf: (sessionId) => turns.runs.current(sessionId)?.tools ?? [],
  });
  const operator = createOperatorSide({
    host,
    home,
    stateFolder,
    plugins,
    registry,
    consents,
    report: window.report,
  });
  const mcp = createMcpSide({
    input,
    window,
    core,
    plugins: () => plugins.plugins(),
    agentFile: () => dexto.plugins.agentFile(),
    redact: (text) => redactKeys(plugins.redact(text)),
  });
  mcp.onDidChange(() => changed.fire());
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
    models,
    plugins,
    operator,
    pluginModels,
    refreshCommands: () => core.tools.commands.refresh(),
    refreshMemory,
    refreshServers: (fs) => mcp.refresh(fs),
    refreshServersOfPlugins: () => mcp.pluginsLoaded(),
    lookAtLapsedServers: () => mcp.look('lapsed'),
  });

  const turnEvents: Emitter<TurnEvent> = createEmitter();
  const turns = createTurnSide({
    told: (turn) => turnEvents.fire(turn),
    input,
    state: window,
    core,
    plugins,
    mcp,
    dexto,
    operator,
    models,
    traces,
    queue,
    defaultModel,
  });
  const diagnostics = (): readonly Diagnostic[] => {
    const { config, diagnostics: ofConfig } = window.loaded();
    const path = userConfigPath(home);
    return [
      ...ofConfig,
      ...effective.diagnostics(),
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
    effective,
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

/** True for a loaded plugin that the user lets lead conversations; a bundled one may. */
function mayLead(plugins: readonly PluginRecord[], config: PluginsConfig, pluginId: string): boolean {
  const found = plugins.find(({ id, status }) => id === pluginId && status === 'loaded');
  if (found === undefined) return false;
  const own = found.origin === 'workspace' ? (config.workspace ?? config) : config;
  return found.origin === 'bundled' || own.entries[pluginId]?.hooks?.allowConversationAccess === true;
}
