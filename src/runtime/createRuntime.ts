import { join } from 'node:path';
import { shutdown } from '../base/abort.ts';
import type { Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import { userConfigPath } from '../config/configPaths.ts';
import { loadConfig, type LoadedConfig } from '../config/loadConfig.ts';
import { mergeConfig } from '../config/mergeConfig.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Model } from '../contracts/model.ts';
import { createPrivateFiles } from '../host/createPrivateFiles.ts';
import { createModelRegistry } from '../models/createModelRegistry.ts';
import { addPluginCommands } from '../plugins/cli/addPluginCommands.ts';
import { createConsentStore } from '../plugins/consent/consentStore.ts';
import { createPluginManager } from '../plugins/createPluginManager.ts';
import { entryOf } from '../plugins/pluginTypes.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import { createPluginSessionState } from '../sessions/pluginSessionState.ts';
import { createRunTraces } from '../traces/createRunTraces.ts';
import { createSessionStore } from '../sessions/sessionStore.ts';
import { applyFix } from './applyFix.ts';
import { addModel, listServerModels } from './addModel.ts';
import { completeText } from './completeText.ts';
import { createBuiltIn } from './createBuiltIn.ts';
import { createOperatorSide } from './createOperatorSide.ts';
import { createRuns } from './createRuns.ts';
import { createRunTools } from './createRunTools.ts';
import { createSystemPrompts } from './createSystemPrompts.ts';
import { createSessionLife } from './createSessionLife.ts';
import { createToolSide } from './createToolSide.ts';
import { createTurnQueue } from './createTurnQueue.ts';
import { findPluginCommand } from './findPluginCommand.ts';
import { memoryNotChanged, openMemory } from './openMemory.ts';
import { openModel, recordModel } from './openModel.ts';
import { createPluginSettings } from './pluginSettings.ts';
import { registerConfiguredModels } from './configuredModels.ts';
import { resetSession } from './resetSession.ts';
import type { Runtime, RuntimeInput } from './runtime.ts';
import { setHookEnabled } from './setHookEnabled.ts';
import { setPluginEnabled } from './setPluginEnabled.ts';
import { tellOfPatch } from './tellOfPatch.ts';
import { stopWithin } from './stopWithin.ts';
import { unknownDefaultModel } from './unknownDefaultModel.ts';

/** Puts a runtime together and loads config and plugins. What fails to load is a diagnostic; only a broken disk rejects. */
export async function createRuntime(given: RuntimeInput): Promise<Runtime> {
  const input = withPrivateFiles(given);
  const { host, home } = input;
  const changed: Emitter<void> = createEmitter();
  const queue = createTurnQueue(host.clock, () => changed.fire());
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
  const sessions = createSessionStore({
    ...host,
    folder: join(input.stateFolder, 'sessions'),
    channel: input.surface,
  });
  const sessionState = createPluginSessionState({
    ...host,
    folder: join(input.stateFolder, 'sessions'),
    sessionExists: async (id) => (await sessions.open(id)) !== undefined,
    patched: (change) => tellOfPatch(operator.events, change),
  });
  const layout = (): WorkspaceLayout => ({ roots: folders, platform: host.platform });
  const memory = openMemory({
    input,
    folders: () => folders,
    config: () => loaded.config,
    isTrusted: () => isTrusted,
  });
  const toolSide = createToolSide({
    input,
    memory,
    layout,
    config: () => loaded.config,
    isTrusted: () => isTrusted,
    currentRun: (sessionKey) => runs.current(sessionKey),
    reloadConfig: () => queue.atOnce(readConfig),
    report,
    hooks: () => plugins.hooks,
  });
  const { approvals, checkpoints, commands, core, grants } = toolSide;
  const consents = createConsentStore(host.fs, home);
  const traces = createRunTraces({
    ...host,
    folder: join(input.stateFolder, 'traces'),
    redact: (text) => plugins.redact(text),
  });
  const plugins = createPluginManager({
    ...host,
    bundledDir: join(input.dist, 'plugins'),
    home,
    stateDir: input.stateFolder,
    coreToolNames: core.map((tool) => tool.name),
    reservedCommands: input.reservedCommands,
    sessionState,
    consents,
    complete: (request) =>
      completeText(
        {
          clock: host.clock,
          builtIn,
          findModel: (name) => models.find(name ?? loaded.config.model ?? 'built-in'),
        },
        request,
      ),
    memory: {
      tools: toolSide.memoryTools,
      layout,
      recall: () => {
        const { enabled, recall } = loaded.config.memory;
        return { ...recall, enabled: isTrusted && enabled && recall.enabled };
      },
    },
    trace: traces.hookCalled,
    settings: createPluginSettings(host.fs, home, () => folders, {
      last: () => loaded,
      changed(config) {
        loaded = config;
      },
    }),
  });
  const operator = createOperatorSide({
    host,
    home,
    stateFolder: input.stateFolder,
    plugins,
    consents,
    report,
  });
  const builtIn = createBuiltIn(input, memory);
  const models = createModelRegistry();
  models.register(builtIn);
  const life = createSessionLife({
    hooks: plugins.hooks,
    clock: host.clock,
    cleanUp: async (sessionKey) => {
      await Promise.all([plugins.endSession(sessionKey, 'reset'), commands.jobs.endSession(sessionKey)]);
    },
  });
  const tools = createRunTools({
    input,
    core,
    layout,
    plugins,
    approvals,
    traces,
    state: () => ({ folders, isTrusted, config: loaded.config, sandboxed: commands.place() === 'sandbox' }),
  });

  const defaultModel = (): Model => models.find(loaded.config.model ?? 'built-in') ?? builtIn;

  const refreshMemory = (): void =>
    void memory.reconfigure().catch((error: unknown) => report(memoryNotChanged(error)));
  const readConfig = async (): Promise<void> => {
    loaded = await loadConfig(host.fs, { home, folders }, loaded);
    ownProblems = [];
    configured?.dispose();
    configured = registerConfiguredModels(models, loaded.config, host, report);
    await commands.refresh();
    refreshMemory();
    changed.fire();
  };
  const load = async (): Promise<void> => {
    await readConfig();
    const place = { roots: folders, trusted: isTrusted };
    await Promise.all([
      plugins.load({ ...place, config: loaded.config.plugins }),
      operator.load({ ...place, config: loaded.config.hooks }),
    ]);
    changed.fire();
  };

  const systemPrompt = createSystemPrompts({
    host,
    events: operator.events,
    report,
    state: () => ({ folders, isTrusted, instructions: loaded.config.agent.instructions }),
  });
  const runs = createRuns({
    host,
    surface: input.surface,
    plugins,
    models,
    tools,
    traces,
    checkpoints,
    events: operator.events,
    sessionState,
    systemPrompt,
    state: () => ({ folders, maxRounds: loaded.config.agent.limits.maxRounds, signal: abort.signal }),
  });

  const endEverything = async (reason: 'shutdown' | 'restart'): Promise<void> => {
    try {
      await stopWithin(host.clock, 1_000, () => runs.settled());
      await stopWithin(host.clock, 1_500, () => life.endAll(reason));
      await operator.events.emit('gateway', 'shutdown', { context: { reason, ...gatewayContext(folders) } });
    } finally {
      if (plugins.hooks.has('gateway_stop'))
        await plugins.hooks.observe('gateway_stop', { reason }, gatewayContext(folders));
    }
  };
  const shutDown = async (reason: 'shutdown' | 'restart'): Promise<void> => {
    queue.close();
    abort.abort(shutdown);
    try {
      await stopWithin(host.clock, 5_000, async () => {
        try {
          // Commands need a while to end, too: they get it while plugins take theirs.
          await stopWithin(host.clock, 3_000, async () => {
            await Promise.all([endEverything(reason), commands.jobs.close()]);
          });
        } finally {
          await Promise.all([plugins.close(), toolSide.close(), memory.close()]);
          await traces.flush();
        }
      });
    } finally {
      operator.dispose();
      traces.dispose();
      approvals.dispose();
      configured?.dispose();
      models.dispose();
      changed.dispose();
    }
  };
  const stop: Runtime['stop'] = (reason) => (stopping ??= shutDown(reason));

  plugins.onDidChange(() => changed.fire());
  operator.hooks.onDidChange(() => changed.fire());
  await queue.atOnce(async () => {
    await load();
    // A crash may have cut a change off.
    await toolSide.recover();
  });
  void operator.events.emit('gateway', 'startup', { context: { ...gatewayContext(folders) } });
  if (plugins.hooks.has('gateway_start'))
    void plugins.hooks.observe('gateway_start', {}, gatewayContext(folders));

  return {
    host,
    home,
    stateFolder: input.stateFolder,
    plugins,
    models,
    sessions,
    approvals,
    grants,
    jobs: commands.jobs,
    commandPlace: () => commands.place(),
    checkpoints,
    memory,
    traces,
    operatorHooks: operator.hooks,
    onDidChange: changed.event,
    folders: () => folders,
    configFiles: () => loaded.files,
    diagnostics: () => [
      ...loaded.diagnostics,
      ...unknownDefaultModel(models, loaded.config.model, userConfigPath(home)),
      ...plugins.diagnostics(),
      ...operator.hooks.diagnostics(),
      ...ownProblems,
    ],
    runningTurns: () => queue.running(),
    defaultModel,
    openModel: (text, folder) => openModel({ host, models, builtIn, config: loaded.config }, text, folder),
    recordModel,
    setPluginEnabled: (id, isEnabled, seenHash) =>
      queue.atOnce(() => setPluginEnabled(plugins, id, isEnabled, seenHash)),
    setHookEnabled: (name, isEnabled, seenHash) =>
      queue.atOnce(async () => {
        await setHookEnabled({ hooks: operator.hooks, fs: host.fs, home }, name, isEnabled, seenHash);
        await load();
      }),
    reloadPlugin: (id) => queue.betweenTurns(() => plugins.reload(id)),
    setPluginDeveloping: (id, developing) => queue.atOnce(() => plugins.setDeveloping(id, developing)),
    pluginFilesChanged: (saved) => queue.betweenTurns(() => plugins.filesChanged(saved)),
    applyFix: (fix) => queue.atOnce(() => applyFix(plugins, fix)),
    pluginConfig: (id) => entryOf(loaded.config.plugins, id).config ?? {},
    setPluginConfig: (id, config) => queue.atOnce(() => plugins.configure(['entries', id, 'config'], config)),
    toolsFor: (session, model = defaultModel().info) => tools.catalogFor(session, model),
    createSession: () => sessions.create(folders),
    resetSession: async (session, action = 'new') => {
      toolSide.end(session);
      return await resetSession({ life, events: operator.events, input, folders }, session, action);
    },
    startRun: (request) =>
      queue.startTurn(async () => {
        life.touch(request.session);
        toolSide.begin(request.session);
        return await runs.begin(request);
      }),
    findPluginCommand: (prompt) =>
      findPluginCommand(plugins.commands(), prompt, { channel: input.surface, workspaceDir: folders[0] }),
    addCliCommands: (program) => addPluginCommands(program, plugins.cli(), host.clock),
    async update(change) {
      const losesTrust = isTrusted && !change.isTrusted;
      const losesFolder = folders.some((folder) => !change.folders.includes(folder));
      ({ folders, isTrusted } = change);
      if (losesTrust) {
        // A running turn has the tools of a trusted window.
        abort.abort();
        abort = new AbortController();
      }
      // Nothing that still loads may hold up the loss of trust.
      if (losesTrust) await load();
      else await (losesFolder ? queue.atOnce(load) : queue.betweenTurns(load));
    },
    reloadConfig: () => queue.betweenTurns(load),
    reload: () =>
      queue.betweenTurns(async () => {
        await load();
        await plugins.reload();
        changed.fire();
      }),
    refreshMemory,
    listModels: (server) => listServerModels(host, server),
    async addModel(model) {
      await addModel(host, home, model);
      // A new model changes nothing for the turns that run.
      await queue.atOnce(readConfig);
    },
    stop,
    dispose: () =>
      void stop('shutdown').catch((error: unknown) => host.log.write('error', errorMessage(error))),
  };
}

/** What the program keeps of conversations and decisions is nobody else's on this machine. */
function withPrivateFiles(input: RuntimeInput): RuntimeInput {
  const { host, home, stateFolder } = input;
  return { ...input, host: { ...host, fs: createPrivateFiles(host.fs, [home, stateFolder]) } };
}

function gatewayContext(folders: readonly string[]): { readonly workspaceDir?: string } {
  return folders[0] === undefined ? {} : { workspaceDir: folders[0] };
}
