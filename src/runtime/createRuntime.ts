import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createTenantGrants } from '../approvals/createTenantGrants.ts';
import { toDisposable, type Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import { redactKeys } from '../base/secrets/redactKeys.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import { userConfigPath } from '../config/configPaths.ts';
import { loadConfig, type LoadedConfig } from '../config/loadConfig.ts';
import { mergeConfig } from '../config/mergeConfig.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Model } from '../contracts/model.ts';
import { createFootprint } from '../host/createFootprint.ts';
import { createPrivateFiles } from '../host/createPrivateFiles.ts';
import { createModelRegistry } from '../models/createModelRegistry.ts';
import { addPluginCommands } from '../plugins/cli/addPluginCommands.ts';
import { entryOf } from '../plugins/pluginTypes.ts';
import { findIdlePatterns } from '../shell/commandPattern.ts';
import { createTenantSessions } from '../sessions/createTenantSessions.ts';
import { createRunTraces } from '../traces/createRunTraces.ts';
import { applyFix, setHookEnabled, setPluginEnabled } from './enablePlugins.ts';
import { addModels, setModelCost } from './addModels.ts';
import { createAgentCore } from './createAgentCore.ts';
import { createBuiltIn, openModel, recordModel } from './openModel.ts';
import { createPluginSide } from './createPluginSide.ts';
import { createOperatorSide } from './createOperatorSide.ts';
import { createShutdown, gatewayContext } from './createShutdown.ts';
import { createTurnSide } from './createTurnSide.ts';
import { createEffectiveConfig } from '../dexto/createEffectiveConfig.ts';
import { createTurnQueue } from './createTurnQueue.ts';
import { explainCommand } from './explainCommand.ts';
import { findPluginCommand } from './findPluginCommand.ts';
import { memoryNotChanged, openMemory } from './openMemory.ts';
import { findLocalServers, listServerModels, tryServerModel } from './modelServers.ts';
import { createPluginModels } from './pluginModels/createPluginModels.ts';
import { registerConfiguredModels, unknownDefaultModel } from './configuredModels.ts';
import { resetSession } from './createSessionLife.ts';
import type { ModelService, PluginService, Runtime, RuntimeInput, WorkspaceService } from './runtime.ts';
import type { RuntimeState } from './runtimeState.ts';
import { unknownFallbacks } from './withFallbacks.ts';

/** Puts a runtime together and loads config and plugins. What fails to load is a diagnostic; only a broken disk rejects. */
export async function createRuntime(given: RuntimeInput): Promise<Runtime> {
  const input = withPrivateFiles(given);
  const { host, home } = input;
  const changed: Emitter<void> = createEmitter();
  const queue = createTurnQueue(
    host.clock,
    // While the turn waits for the disk: what views make of it would hold it up.
    () => void setImmediate(() => changed.fire()),
    (isInTime) => takeOver(isInTime),
  );
  const configFootprint = createFootprint(host.fs);
  const savesByHand = new Set<() => Promise<readonly string[]>>();
  /** Files that were saved by hand, and are not taken over yet. */
  const saved = new Set<string>();
  /** The config by which plugins and hooks were loaded. */
  let applied: LoadedConfig['config'] | undefined;
  let ownProblems: readonly Diagnostic[] = [];
  let folders = input.folders;
  let isTrusted = input.isTrusted;
  let loaded: LoadedConfig = { ...mergeConfig({}, []), files: [] };
  let configured: Disposable | undefined;
  let abort = new AbortController();
  let stopping: Promise<void> | undefined;

  const report = (diagnostic: Diagnostic): void => {
    const { code, message } = diagnostic;
    if (ownProblems.some((each) => each.code === code && each.message === message)) return;
    ownProblems = [...ownProblems, diagnostic];
    host.log.write(diagnostic.level, diagnostic.message);
    changed.fire();
  };
  const state: RuntimeState = {
    folders: () => folders,
    layout: () => ({ roots: folders, platform: host.platform }),
    isTrusted: () => isTrusted,
    config: () => effective.get(),
    reloadConfig: () => queue.atOnce(readConfig),
    problem: () => loaded.problem ?? dexto.plugins.problem() ?? plugins.problem(),
    signal: () => abort.signal,
    report,
  };
  const effective = createEffectiveConfig({
    config: () => loaded.config,
    file: () => dexto.plugins.agentFile(),
    known: () => ({
      tools: agentCore.tools.core.map(({ name }) => name),
      models: models.list().map(({ info }) => info),
    }),
  });
  const memory = openMemory({ ...state, input });
  const builtIn = createBuiltIn(input, memory);
  const models = createModelRegistry();
  models.register(builtIn);
  models.onDidChange(() => effective.invalidate());
  const traces = createRunTraces({
    ...host,
    folder: join(input.stateFolder, 'traces'),
    redact: (text) => redactKeys(plugins.redact(text)),
  });
  const agentCore = createAgentCore({
    input,
    state,
    memory,
    models,
    builtIn,
    traces,
    plugins: {
      hooks: () => plugins.hooks,
      events: () => operator.events,
      redact: (text) => plugins.redact(text),
      skillFolders: () => plugins.skillFolders(),
      agentFile: () => dexto.plugins.agentFile(),
    },
    turns: {
      current: (id) => turns.runs.current(id),
      start: (request) => turns.startTurn({ attachments: [], ...request }),
      removeSession: (id) => turns.removeSession(id),
      tenant: () => turns.tenantNow(),
    },
  });
  const { sessions, agents } = agentCore;
  const { approvals, checkpoints, commands, grants } = agentCore.tools;
  const { plugins, dexto, registry, consents } = createPluginSide({
    input,
    state,
    core: agentCore,
    models,
    builtIn,
    traces,
    config: { last: () => loaded, read: () => readFiles() },
    toolsOf: (sessionId) => turns.runs.current(sessionId)?.tools ?? [],
  });
  const operator = createOperatorSide({
    host,
    home,
    stateFolder: input.stateFolder,
    plugins,
    registry,
    consents,
    report,
  });
  const defaultModel = (): Model => models.find(state.config().model ?? 'built-in') ?? builtIn;

  const refreshMemory = (): void =>
    void memory.reconfigure().catch((error: unknown) => report(memoryNotChanged(error)));
  const readFiles = async (): Promise<LoadedConfig> => {
    loaded = await configFootprint.record((fs) => loadConfig(fs, { home, folders }, loaded));
    return loaded;
  };
  const readConfig = async (): Promise<void> => {
    await readFiles();
    // What a state file has lost is told once, when it is read.
    ownProblems = ownProblems.filter(({ code }) => code === 'state_unreadable');
    configured?.dispose();
    configured = registerConfiguredModels(models, loaded.config, host, report);
    await commands.refresh();
    refreshMemory();
    changed.fire();
  };
  const pluginModels = createPluginModels({ models, plugins, host, changed: () => changed.fire() });
  const loadHooks = (): Promise<void> =>
    operator.load({ roots: folders, trusted: isTrusted, config: loaded.config.hooks });
  const load = async (): Promise<void> => {
    await readConfig();
    await Promise.all([
      plugins.load({ roots: folders, trusted: isTrusted, config: loaded.config.plugins }),
      loadHooks(),
    ]);
    await pluginModels.sync();
    applied = loaded.config;
    changed.fire();
  };
  // Threat: the agent, or another program, changes a plugin that the user has allowed. Only what the editor has seen the user save may
  // renew a consent (docs/plugins.md); whatever else is different is loaded as far as the user has agreed to it.
  /** Loads what is different on disk from what was read; nothing where nothing is. Never rejects: no watcher need have told. */
  const takeOver = async (isInTime = (): boolean => true): Promise<void> => {
    try {
      for (const take of savesByHand) (await take()).forEach((path) => saved.add(path));
      const [isOutdated, isPlugins, isHooks] = await Promise.all([
        configFootprint.isOutdated(),
        plugins.isOutdated(),
        operator.hooks.isOutdated(),
      ]);
      if (!isInTime()) {
        host.log.write(
          'warn',
          'The disk took more than 2 s to look at: this turn began with what was loaded.',
        );
        return;
      }
      // Whoever changes a setting reads what somebody else has changed along with it.
      const isConfig = isOutdated || !isDeepStrictEqual(applied, loaded.config);
      if (isConfig) await load();
      else if (isHooks) await loadHooks();
      if (saved.size === 0 && (isConfig || !isPlugins)) return;
      const taken = [...saved];
      await plugins.filesChanged(taken);
      taken.forEach((path) => saved.delete(path));
      await pluginModels.sync();
    } catch (error) {
      report(changesNotTaken(error));
    }
  };

  const turns = createTurnSide({
    input,
    state,
    core: agentCore,
    plugins,
    dexto,
    operator,
    models,
    traces,
    queue,
    defaultModel,
  });
  const { life } = turns;

  const endInTime = createShutdown({
    clock: host.clock,
    plugins,
    events: operator.events,
    abort: () => abort,
    folders: () => folders,
    async turnsSettled() {
      await agents.subagents.close();
      await turns.runs.settled();
    },
    endSessions: (reason) => life.endAll(reason),
    endCommands: () => commands.jobs.close(),
    async closeAll() {
      const pluginsClosed = plugins.close().then(() => dexto.close());
      await Promise.all([pluginsClosed, agentCore.tools.close(), memory.close()]);
      await traces.flush();
    },
  });
  const shutDown = async (reason: 'shutdown' | 'restart'): Promise<void> => {
    queue.close();
    try {
      await endInTime(reason);
    } finally {
      turns.dispose();
      operator.dispose();
      traces.dispose();
      approvals.dispose();
      configured?.dispose();
      pluginModels.dispose();
      models.dispose();
      changed.dispose();
    }
  };
  const stop: Runtime['stop'] = (reason) => (stopping ??= shutDown(reason));

  plugins.onDidChange(() => {
    void pluginModels.sync();
    changed.fire();
  });
  operator.hooks.onDidChange(() => changed.fire());
  await queue.atOnce(async () => {
    await load();
    // A crash may have cut a change off.
    await agentCore.tools.recover();
    await life.closeGhosts();
  });
  void operator.events.emit('gateway', 'startup', { context: { ...gatewayContext(folders) } });
  if (plugins.hooks.has('gateway_start'))
    void plugins.hooks.observe('gateway_start', {}, gatewayContext(folders));

  const workspace: WorkspaceService = {
    home,
    stateFolder: input.stateFolder,
    folders: () => folders,
    configFiles: () => loaded.files,
    diagnostics: () => [
      ...loaded.diagnostics,
      ...effective.diagnostics(),
      ...unknownDefaultModel(models, loaded.config.model, userConfigPath(home)),
      ...findIdlePatterns(loaded.config.tools.exec.allow, userConfigPath(home)),
      ...unknownFallbacks(models, loaded.config, userConfigPath(home)),
      ...pluginModels.diagnostics(),
      ...agents.problems(),
      ...plugins.diagnostics(),
      ...operator.hooks.diagnostics(),
      ...ownProblems,
    ],
    problem: state.problem,
    onDidChange: changed.event,
    async update(change) {
      const losesTrust = isTrusted && !change.isTrusted;
      const gainsTrust = !isTrusted && change.isTrusted;
      const losesFolder = folders.some((folder) => !change.folders.includes(folder));
      ({ folders, isTrusted } = change);
      if (losesTrust) {
        // A running turn has the tools of a trusted window.
        abort.abort();
        abort = new AbortController();
      }
      // Nothing that still loads may hold up the loss of trust.
      if (losesTrust) await load();
      // Until the guards of a trusted window are there, no turn begins: they can't wait for the one that runs.
      else await (losesFolder || gainsTrust ? queue.atOnce(load) : queue.betweenTurns(load));
    },
    reload: () =>
      queue.betweenTurns(async () => {
        await load();
        await plugins.reload();
        changed.fire();
      }),
    reloadConfig: () => queue.betweenTurns(load),
    filesChanged: () => queue.betweenTurns(takeOver),
    catchUp() {
      memory.turnBegins();
      return queue.catchUp();
    },
    followSaves(take) {
      savesByHand.add(take);
      return toDisposable(() => savesByHand.delete(take));
    },
    applyFix: (fix) => queue.atOnce(() => applyFix(plugins, fix)),
  };
  const modelService: ModelService = {
    ...models,
    default: defaultModel,
    forSession: turns.modelFor,
    open: (text, folder) => openModel({ host, models, config: loaded.config }, text, folder),
    record: recordModel,
    listOfServer: (server, signal) => listServerModels(host, server, signal),
    findLocalServers: (signal) => findLocalServers(host, signal),
    tryOut: (server, id, signal) => tryServerModel(host, server, id, signal),
    async add(input) {
      const name = await addModels(host, home, input);
      // A new model changes nothing for the turns that run.
      await queue.atOnce(readConfig);
      return name;
    },
    configured: () =>
      models
        .list()
        .map(({ info }) => info)
        .filter(({ provider, model }) =>
          loaded.config.providers[provider]?.models.some(({ id }) => id === model),
        ),
    async setCost(model, cost) {
      await setModelCost(host.fs, home, model, cost);
      await queue.atOnce(readConfig);
    },
  };
  const pluginService: PluginService = {
    ...plugins,
    dexto: dexto.plugins,
    operatorHooks: operator.hooks,
    onDidNotify: dexto.onDidNotify,
    setEnabled: (id, isEnabled, seenHash) =>
      queue.atOnce(() => setPluginEnabled(plugins, id, isEnabled, seenHash)),
    setHookEnabled: (name, isEnabled, seenHash) =>
      queue.atOnce(async () => {
        await setHookEnabled({ hooks: operator.hooks, fs: host.fs, home }, name, isEnabled, seenHash);
        await load();
      }),
    reload: (id) => queue.betweenTurns(() => plugins.reload(id)),
    setDeveloping: (id, developing) => queue.atOnce(() => plugins.setDeveloping(id, developing)),
    configOf: (id) => entryOf(loaded.config.plugins, id).config ?? {},
    setConfig: (id, config) => queue.atOnce(() => plugins.configure(['entries', id, 'config'], config)),
    findCommand: (prompt) =>
      findPluginCommand(plugins.commands(), prompt, { channel: input.surface, workspaceDir: folders[0] }),
    addCliCommands: (program) => addPluginCommands(program, plugins.cli(), host.clock),
  };
  return {
    host,
    workspace,
    models: modelService,
    plugins: pluginService,
    approvals: {
      ...approvals,
      grants: createTenantGrants(grants, () => turns.tenantNow()?.tenantId),
    },
    tools: {
      catalogFor: (session, model = defaultModel().info) =>
        turns.tools.catalogFor(session, { model, lineage: agents.knownLineage(session) }),
      jobs: commands.jobs,
      commandPlace: () => commands.place(),
      explainCommand: (command) =>
        explainCommand(
          {
            judge: (line) => commands.judge(line),
            layout: { roots: folders, platform: host.platform },
            mode: approvals.limits().mode,
            grants,
          },
          command,
        ),
    },
    conversations: {
      ...turns.conversations,
      sessions: createTenantSessions(sessions, turns.tenantNow),
      create: (agentId) => turns.createSession(agents.idFor(agentId)),
      reset: async (session, action = 'new') => {
        agentCore.tools.end(session);
        return await resetSession({ life, events: operator.events, input, folders }, session, action);
      },
      withTenant: (tenant, work) => dexto.tenants.run(tenant, work),
    },
    turns: {
      start(request) {
        memory.turnBegins();
        return turns.startRun(request);
      },
      running: () => queue.running(),
      traces,
      checkpoints,
    },
    memory: { ...memory, refresh: refreshMemory },
    stop,
    dispose: () =>
      void stop('shutdown').catch((error: unknown) => host.log.write('error', errorMessage(error))),
  };
}

function changesNotTaken(error: unknown): Diagnostic {
  return {
    level: 'error',
    code: 'changes_not_taken',
    message: `What has changed on disk could not be taken over: ${errorMessage(error)}`,
    hint: 'Run "Pincer: Reload All Plugins" to try again.',
  };
}

/** What the program keeps of conversations and decisions is nobody else's on this machine. */
function withPrivateFiles(input: RuntimeInput): RuntimeInput {
  const { host, home, stateFolder } = input;
  return { ...input, host: { ...host, fs: createPrivateFiles(host.fs, [home, stateFolder]) } };
}
