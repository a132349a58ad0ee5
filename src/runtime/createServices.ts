import { createTenantGrants } from '../approvals/createTenantGrants.ts';
import { PincerError } from '../base/errors.ts';
import { redactKeys } from '../base/secrets/redactKeys.ts';
import { userConfigPath } from '../config/configPaths.ts';
import { editConfigFile } from '../config/editConfigFile.ts';
import type { DiagnosticFix } from '../contracts/diagnostic.ts';
import type { FileSystem } from '../host/ports.ts';
import { addPluginCommands } from '../plugins/cli/addPluginCommands.ts';
import type { PluginCommand } from '../plugins/commands/resolvePluginCommands.ts';
import type { OperatorHooks } from '../plugins/operatorHooks/createOperatorHooks.ts';
import type { PluginManager } from '../plugins/pluginManager.ts';
import { entryOf } from '../plugins/pluginTypes.ts';
import { createSpeech } from '../plugins/providers/createSpeech.ts';
import { createTenantSessions } from '../sessions/createTenantSessions.ts';
import { addModels, setModelCost } from './addModels.ts';
import { createMcpService } from './createMcpSide.ts';
import type { RuntimeParts } from './createRuntimeParts.ts';
import { resetSession } from './createSessionLife.ts';
import { explainCommand } from './explainCommand.ts';
import type { AllPlugins } from './joinDialects.ts';
import { findLocalServers, listServerModels, tryServerModel } from './modelServers.ts';
import { openModel, recordModel } from './openModel.ts';
import type {
  ConversationService,
  ModelService,
  PluginService,
  Runtime,
  ToolService,
  WorkspaceService,
  FoundPluginCommand,
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

/** @throws PincerError `plugin_unknown`, `config_syntax`, `plugin_changed` when the files are no longer those of `seenHash` */
async function setPluginEnabled(
  plugins: PluginManager,
  id: string,
  isEnabled: boolean,
  seenHash: string | undefined,
): Promise<void> {
  // Of two plugins with one id, the one that waits for consent is meant: the other runs already.
  const records = plugins.plugins().filter((each) => each.id === id);
  const plugin = records.find((each) => each.needsConsent !== undefined) ?? records[0];
  if (plugin === undefined) {
    throw new PincerError('plugin_unknown', `There is no plugin ${id}.`, {
      hint: 'pincer plugins list names all of them.',
    });
  }
  // Consent first: where it fails, nothing may say that the plugin is on.
  if (isEnabled && plugin.needsConsent !== undefined) await plugins.grantConsent(id, seenHash);
  await plugins.setEnabled(id, isEnabled, 'user');
}

/** @throws PincerError `hook_unknown`, `hook_changed` when the files are no longer those of `seenHash`, `config_syntax` */
async function setHookEnabled(
  { hooks, fs, home }: { readonly hooks: OperatorHooks; readonly fs: FileSystem; readonly home: string },
  name: string,
  isEnabled: boolean,
  seenHash: string | undefined,
): Promise<void> {
  const records = hooks.list().filter((each) => each.name === name);
  const record = records.find((each) => each.needsConsent !== undefined) ?? records[0];
  if (record === undefined) {
    throw new PincerError('hook_unknown', `There is no operator hook ${name}.`, {
      hint: 'pincer hooks list names all of them.',
    });
  }
  // Consent first: where it fails, nothing may say that the hook is on.
  if (isEnabled && record.needsConsent !== undefined) await hooks.grantConsent(name, seenHash);
  await editConfigFile(
    fs,
    userConfigPath(home),
    ['hooks', 'internal', 'entries', record.key, 'enabled'],
    isEnabled,
  );
}

/** Carries out the remedy of a diagnostic. @throws PincerError `plugin_unknown`, `config_syntax`, `fix_not_here` */
async function applyFix(plugins: AllPlugins, fix: DiagnosticFix): Promise<void> {
  switch (fix.kind) {
    case 'allow-conversation-access': {
      await plugins.configure(['entries', fix.pluginId, 'hooks', 'allowConversationAccess'], true);
      return;
    }
    case 'allow-prompt-injection': {
      await plugins.configure(['entries', fix.pluginId, 'hooks', 'allowPromptInjection'], undefined);
      return;
    }
    case 'enable-plugin': {
      await setPluginEnabled(plugins, fix.pluginId, true, undefined);
      return;
    }
    case 'disable-plugin': {
      await setPluginEnabled(plugins, fix.pluginId, false, undefined);
      return;
    }
    case 'choose-slot': {
      await plugins.chooseSlot(fix.slot, fix.pluginId);
      return;
    }
    case 'reload-plugin': {
      await plugins.reload(fix.pluginId);
      return;
    }
    case 'allow-registrations': {
      await plugins.allowRegistrations(fix.pluginId, fix.names);
      return;
    }
    case 'forget-plugin': {
      await plugins.forget(fix.pluginId, fix.rootDir);
      return;
    }
    case 'reset-consents': {
      await plugins.resetConsents();
      return;
    }
    case 'configure-plugin':
      throw new PincerError('fix_not_here', `The settings of ${fix.pluginId} are changed in the editor.`, {
        hint: `Or edit plugins.entries.${fix.pluginId}.config in your config.`,
      });
    case 'show-plugin-changes':
    case 'open-file':
      throw new PincerError('fix_not_here', 'Files are shown in the editor.');
  }
}

/** The command that `prompt` starts with, where its arguments fit it. Pure. */
function findPluginCommand(
  commands: readonly PluginCommand[],
  prompt: string,
  caller: { readonly channel: string; readonly workspaceDir: string | undefined },
): FoundPluginCommand | undefined {
  const match = /^\/(\S+)(?:\s+(.*))?$/su.exec(prompt.trim());
  const name = match?.[1]?.toLowerCase();
  const args = match?.[2]?.trim() ?? '';
  const command = commands.find((each) => each.name === name);
  if (command === undefined || (args !== '' && !command.acceptsArgs)) return undefined;
  const { channel, workspaceDir } = caller;
  return {
    name: command.name,
    pluginId: command.pluginId,
    run: (session) =>
      command.run(args, {
        channel,
        sessionKey: session.key,
        sessionId: session.id,
        agentId: session.agentId,
        ...(workspaceDir === undefined ? {} : { workspaceDir }),
      }),
  };
}
