import { redactKeys } from '../base/secrets/redactKeys.ts';
import { createTenantGrants } from '../approvals/createTenantGrants.ts';
import { addPluginCommands } from '../plugins/cli/addPluginCommands.ts';
import { entryOf } from '../plugins/pluginTypes.ts';
import { createSpeech } from '../plugins/providers/createSpeech.ts';
import { createTenantSessions } from '../sessions/createTenantSessions.ts';
import { addModels, setModelCost } from './addModels.ts';
import type { RuntimeParts } from './createRuntimeParts.ts';
import { resetSession } from './createSessionLife.ts';
import { applyFix, setHookEnabled, setPluginEnabled } from './enablePlugins.ts';
import { createMcpService } from './createMcpSide.ts';
import { explainCommand } from './explainCommand.ts';
import { findPluginCommand } from './findPluginCommand.ts';
import { findLocalServers, listServerModels, tryServerModel } from './modelServers.ts';
import { openModel, recordModel } from './openModel.ts';
import type {
  ConversationService,
  ModelService,
  PluginService,
  Runtime,
  ToolService,
  WorkspaceService,
} from './runtime.ts';

/** What front ends get of a runtime: a service for each of its sides. */
export function createServices(parts: RuntimeParts): Omit<Runtime, 'stop' | 'dispose'> {
  const { input, core, turns, queue, memory, traces } = parts;
  const { approvals, checkpoints, grants } = core.tools;
  return {
    host: input.host,
    workspace: workspaceService(parts),
    models: modelService(parts),
    plugins: pluginService(parts),
    mcp: createMcpService(parts.mcp, input, {
      readConfig: parts.configReader.reload,
      served: parts.served,
    }),
    approvals: { ...approvals, grants: createTenantGrants(grants, () => turns.tenantNow()?.tenantId) },
    tools: toolService(parts),
    conversations: conversationService(parts),
    turns: {
      start(request) {
        memory.turnBegins();
        return turns.startRun(request);
      },
      running: () => queue.running(),
      traces,
      checkpoints,
    },
    memory: { ...memory, refresh: parts.refreshMemory },
    gateway: parts.gateway,
    schedule: parts.schedule.schedule,
    channels: parts.channels.channels,
  };
}

function workspaceService(parts: RuntimeParts): WorkspaceService {
  const { input, window, changed, queue, loads, memory, plugins } = parts;
  const { home } = input;
  return {
    home,
    stateFolder: input.stateFolder,
    folders: window.folders,
    configFiles: () => window.loaded().files,
    diagnostics: parts.diagnostics,
    problem: window.problem,
    onDidChange: changed.event,
    async update(change) {
      const { losesTrust, gainsTrust, losesFolder } = window.move(change);
      // Nothing that still loads may hold up the loss of trust.
      if (losesTrust) await loads.load();
      // Until the guards of a trusted window are there, no turn begins: they can't wait for the one that runs.
      else await (losesFolder || gainsTrust ? queue.atOnce(loads.load) : queue.betweenTurns(loads.load));
    },
    reload: () =>
      queue.betweenTurns(async () => {
        await loads.load();
        await plugins.reload();
        changed.fire();
      }),
    reloadConfig: () => queue.betweenTurns(loads.load),
    filesChanged: () => queue.betweenTurns(() => loads.takeOver()),
    catchUp() {
      memory.turnBegins();
      return queue.catchUp();
    },
    followSaves: loads.followSaves,
    applyFix: (fix) => queue.atOnce(() => applyFix(plugins, fix)),
  };
}

function modelService({
  input,
  window,
  configReader,
  models,
  turns,
  defaultModel,
  pluginModels,
}: RuntimeParts): ModelService {
  const { host, home } = input;
  return {
    ...models,
    signIns: pluginModels.signIns,
    default: defaultModel,
    forSession: turns.modelFor,
    open: (text, folder) => openModel({ host, models, config: window.loaded().config }, text, folder),
    record: recordModel,
    listOfServer: (server, signal) => listServerModels(host, server, signal),
    findLocalServers: (signal) => findLocalServers(host, signal),
    tryOut: (server, id, signal) => tryServerModel(host, server, id, signal),
    async add(added) {
      const name = await addModels(host, home, added);
      // A new model changes nothing for the turns that run.
      await configReader.reload();
      return name;
    },
    configured: () =>
      models
        .list()
        .map(({ info }) => info)
        .filter(({ provider, model }) =>
          window.loaded().config.providers[provider]?.models.some(({ id }) => id === model),
        ),
    async setCost(model, cost) {
      await setModelCost(host.fs, home, model, cost);
      await configReader.reload();
    },
  };
}

function pluginService({
  input,
  window,
  queue,
  loads,
  plugins,
  dexto,
  operator,
  core,
  turns,
}: RuntimeParts): PluginService {
  const { host, home } = input;
  return {
    ...plugins,
    dexto: dexto.plugins,
    speech: createSpeech({
      providers: () => plugins.hostProviders(),
      plugins: () => plugins.plugins(),
      config: () => window.config().tts,
      grants: createTenantGrants(core.tools.grants, () => turns.tenantNow()?.tenantId),
      secrets: host,
      clock: host.clock,
      redact: (text) => redactKeys(plugins.redact(text)),
    }),
    operatorHooks: operator.hooks,
    onDidNotify: dexto.onDidNotify,
    onDidStop: dexto.onDidStop,
    setEnabled: (id, isEnabled, seenHash) =>
      queue.atOnce(() => setPluginEnabled(plugins, id, isEnabled, seenHash)),
    setHookEnabled: (name, isEnabled, seenHash) =>
      queue.atOnce(async () => {
        await setHookEnabled({ hooks: operator.hooks, fs: host.fs, home }, name, isEnabled, seenHash);
        await loads.load();
      }),
    reload: (id) => queue.betweenTurns(() => plugins.reload(id)),
    setDeveloping: (id, developing) => queue.atOnce(() => plugins.setDeveloping(id, developing)),
    configOf: (id) => entryOf(window.loaded().config.plugins, id).config ?? {},
    setConfig: (id, config) => queue.atOnce(() => plugins.configure(['entries', id, 'config'], config)),
    findCommand: (prompt) =>
      findPluginCommand(plugins.commands(), prompt, {
        channel: input.surface,
        workspaceDir: window.folders()[0],
      }),
    addCliCommands: (program) => addPluginCommands(program, plugins.cli(), host.clock),
  };
}

function toolService({ input, window, core, turns, defaultModel }: RuntimeParts): ToolService {
  const { host } = input;
  const { approvals, commands, grants } = core.tools;
  return {
    catalogFor: (session, model = defaultModel().info) =>
      turns.tools.catalogFor(session, { model, lineage: core.agents.knownLineage(session) }),
    jobs: commands.jobs,
    commandPlace: () => commands.place(),
    explainCommand: (command) =>
      explainCommand(
        {
          judge: (line) => commands.judge(line),
          layout: { roots: window.folders(), platform: host.platform },
          mode: approvals.limits().mode,
          grants,
        },
        command,
      ),
  };
}

function conversationService({
  input,
  window,
  core,
  turns,
  dexto,
  events,
}: RuntimeParts): ConversationService {
  return {
    ...turns.conversations,
    sessions: createTenantSessions(core.sessions, turns.tenantNow),
    pluginState: core.state,
    create: (agentId, chatId) => turns.createSession(core.agents.idFor(agentId), chatId),
    reset: async (session, action = 'new', next) => {
      core.tools.end(session);
      return await resetSession(
        { life: turns.life, events, input, folders: window.folders() },
        session,
        action,
        next,
      );
    },
    withTenant: (tenant, work) => dexto.tenants.run(tenant, work),
  };
}
