import { join } from 'node:path';
import { runAgent } from '../agent/runAgent.ts';
import { buildSystemPrompt } from '../agent/prompt/buildSystemPrompt.ts';
import { createApprovalBroker } from '../approvals/createApprovalBroker.ts';
import { createGrantStore } from '../approvals/createGrantStore.ts';
import type { Disposable } from '../base/disposable.ts';
import { PincerError } from '../base/errors.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import { loadConfig, type LoadedConfig } from '../config/loadConfig.ts';
import { mergeConfig } from '../config/mergeConfig.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { createModelRegistry } from '../models/createModelRegistry.ts';
import { createPluginManager } from '../plugins/createPluginManager.ts';
import { createCoreTools } from '../tools/coreTools.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';
import { maxResultChars } from '../tools/pipeline/capResult.ts';
import { createSessionStore } from '../sessions/sessionStore.ts';
import { addModel, listServerModels } from './addModel.ts';
import { createBuiltIn } from './createBuiltIn.ts';
import { createRunTools } from './createRunTools.ts';
import { createSessionLife } from './createSessionLife.ts';
import { findPluginCommand } from './findPluginCommand.ts';
import { openModel, recordModel } from './openModel.ts';
import { createPluginSettings } from './pluginSettings.ts';
import { registerConfiguredModels } from './configuredModels.ts';
import type { RunRequest, Runtime, RuntimeInput } from './runtime.ts';
import { stopWithin } from './stopWithin.ts';

/** Puts a runtime together and loads config and plugins. What fails to load is a diagnostic; only a broken disk rejects. */
export async function createRuntime(input: RuntimeInput): Promise<Runtime> {
  const { host, home } = input;
  const changed: Emitter<void> = createEmitter();
  const ownProblems: Diagnostic[] = [];
  let folders = input.folders;
  let isTrusted = input.isTrusted;
  let loaded: LoadedConfig = { ...mergeConfig({}, []), files: [] };
  let configured: Disposable | undefined;
  let running = 0;

  const report = (diagnostic: Diagnostic): void => {
    ownProblems.push(diagnostic);
    host.log.write(diagnostic.level, diagnostic.message);
    changed.fire();
  };
  const sessions = createSessionStore({ ...host, folder: join(input.stateFolder, 'sessions') });
  const grants = createGrantStore({ ...host, path: join(home, 'grants.json'), report });
  const approvals = createApprovalBroker({
    ...host,
    grants,
    limits: () => ({ mode: input.approve, canAsk: input.canAsk, ...loaded.config.approvals }),
  });
  const layout = (): WorkspaceLayout => ({ roots: folders, platform: host.platform });
  const core = createCoreTools({ ...host, files: input.files, layout, maxResultChars });
  const plugins = createPluginManager({
    ...host,
    bundledDir: join(input.dist, 'plugins'),
    home,
    stateDir: input.stateFolder,
    coreToolNames: core.map((tool) => tool.name),
    reservedCommands: input.reservedCommands,
    settings: createPluginSettings(host.fs, home, () => folders),
  });
  const builtIn = createBuiltIn(input, () => folders);
  const models = createModelRegistry();
  models.register(builtIn);
  const life = createSessionLife(plugins.hooks, host.clock);
  const tools = createRunTools({
    input,
    core,
    layout,
    plugins,
    approvals,
    state: () => ({ folders, isTrusted, layers: loaded.config.tools.layers }),
  });

  const load = async (): Promise<void> => {
    loaded = await loadConfig(host.fs, { home, folders });
    configured?.dispose();
    configured = registerConfiguredModels(models, loaded.config, host);
    await plugins.load({ roots: folders, trusted: isTrusted, config: loaded.config.plugins });
    changed.fire();
  };

  const defaultModel: Runtime['defaultModel'] = () => {
    const name = loaded.config.model;
    return name === undefined ? builtIn : models.resolve(name);
  };

  const startRun = (request: RunRequest): ReturnType<Runtime['startRun']> => {
    const { session } = request;
    life.touch(session);
    const catalog = tools.catalogFor(session);
    const handle = runAgent(
      {
        hooks: plugins.hooks,
        pipeline: tools.pipelineFor(catalog),
        findModel: (ref) => models.get(ref),
        clock: host.clock,
        log: host.log,
      },
      {
        ...request,
        tools: catalog.tools(),
        systemPrompt: buildSystemPrompt({
          folders,
          platform: host.platform,
          date: new Date(host.clock.now()),
          instructions: loaded.config.agent.instructions,
          isReadOnly: !isTrusted,
        }),
        maxRounds: loaded.config.agent.maxRounds,
        surface: input.surface,
        workspaceDir: folders[0],
      },
    );
    running += 1;
    changed.fire();
    void handle.outcome.then(() => {
      running -= 1;
      changed.fire();
    });
    return handle;
  };

  const stop: Runtime['stop'] = async (reason) => {
    await stopWithin(host.clock, 5_000, async () => {
      await life.endAll(reason);
      if (plugins.hooks.has('gateway_stop'))
        await plugins.hooks.observe('gateway_stop', { reason }, gatewayContext(folders));
      await plugins.close();
    });
    approvals.dispose();
    configured?.dispose();
    models.dispose();
    changed.dispose();
  };

  plugins.onDidChange(() => changed.fire());
  await load();
  if (plugins.hooks.has('gateway_start'))
    void plugins.hooks.observe('gateway_start', {}, gatewayContext(folders));

  return {
    host,
    home,
    plugins,
    models,
    sessions,
    approvals,
    grants,
    onDidChange: changed.event,
    folders: () => folders,
    configFiles: () => loaded.files,
    diagnostics: () => [...loaded.diagnostics, ...plugins.diagnostics(), ...ownProblems],
    runningTurns: () => running,
    defaultModel,
    openModel: (text, folder) => openModel({ host, models, builtIn, config: loaded.config }, text, folder),
    recordModel,
    setPluginEnabled: async (id, isEnabled) => {
      const plugin = plugins.plugins().find((each) => each.id === id);
      if (plugin === undefined) {
        throw new PincerError('plugin_unknown', `There is no plugin ${id}.`, {
          hint: 'pincer plugins list names all of them.',
        });
      }
      await plugins.setEnabled(id, isEnabled, 'user');
      if (isEnabled && plugin.needsConsent !== undefined) await plugins.grantConsent(id);
    },
    reloadPlugin: (id) => plugins.reload(id),
    toolsFor: (session) => tools.catalogFor(session),
    createSession: () => sessions.create(folders),
    resetSession: (session) => life.reset(session),
    startRun,
    findPluginCommand: (prompt) =>
      findPluginCommand(plugins.commands(), prompt, { channel: input.surface, workspaceDir: folders[0] }),
    async update(change) {
      folders = change.folders;
      isTrusted = change.isTrusted;
      await load();
    },
    async reload() {
      await load();
      await plugins.reload();
      changed.fire();
    },
    listModels: (server) => listServerModels(host, server),
    async addModel(model) {
      await addModel(host, home, model);
      await load();
    },
    stop,
    dispose: () => void stop('shutdown'),
  };
}

function gatewayContext(folders: readonly string[]): { readonly workspaceDir?: string } {
  return folders[0] === undefined ? {} : { workspaceDir: folders[0] };
}
