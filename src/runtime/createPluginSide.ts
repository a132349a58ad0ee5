import { join } from 'node:path';
import { PincerError } from '../base/errors.ts';
import { redactKeys } from '../base/secrets/redactKeys.ts';
import { userConfigPath, workspaceConfigPath } from '../config/configPaths.ts';
import { editConfigFile } from '../config/editConfigFile.ts';
import { describeConfig, withoutSecrets } from '../config/describeConfig.ts';
import type { LoadedConfig } from '../config/loadConfig.ts';
import type { PincerConfig } from '../config/mergeConfig.ts';
import type { Model } from '../contracts/model.ts';
import type { ToolDefinition } from '../contracts/tool.ts';
import { createDextoSide, type DextoSide } from '../dexto/createDextoSide.ts';
import { extensionPoints } from '../dexto/pointRules.ts';
import type { HookRegistry, HookRunner } from '../hooks/hookRunner.ts';
import type { FileSystem } from '../host/ports.ts';
import type { ServerView } from '../mcp/mcpServers.ts';
import type { ModelRegistry } from '../models/createModelRegistry.ts';
import { createConsentStore, type ConsentStore } from '../plugins/consent/consentStore.ts';
import { createCallGuard } from '../plugins/createCallGuard.ts';
import { createHangGuard } from '../plugins/createHangGuard.ts';
import { createPluginManager } from '../plugins/createPluginManager.ts';
import { createGuardWatch } from '../plugins/guards/createGuardWatch.ts';
import { findPluginChanges } from '../plugins/guards/findPluginChanges.ts';
import type { PluginSettings } from '../plugins/pluginManager.ts';
import type { PluginSchedule } from '../schedule/pluginSchedule.ts';
import { builtInSearches } from '../tools/core/web/createWebSearch.ts';
import type { RunTraces } from '../traces/createRunTraces.ts';
import { completeText } from './completeText.ts';
import type { AgentCore } from './createAgentCore.ts';
import { joinDialects, type AllPlugins } from './joinDialects.ts';
import type { ChannelSide } from './createChannelSide.ts';
import type { RuntimeInput } from './runtime.ts';
import type { RuntimeState } from './runtimeState.ts';

interface PluginSideParts {
  readonly input: RuntimeInput;
  readonly state: RuntimeState;
  readonly core: AgentCore;
  readonly models: ModelRegistry;
  readonly builtIn: Model;
  /** Who listens to what: operator hooks, too. */
  readonly registry: HookRegistry;
  readonly hooks: HookRunner;
  /** Ids of plugins that run and may not any more. */
  readonly forbidden: () => ReadonlySet<string>;
  readonly schedule: PluginSchedule;
  readonly channels: Pick<ChannelSide, 'runtimeOf' | 'configOf'>;
  readonly traces: RunTraces;
  readonly config: {
    /** What the config files say. */
    readonly last: () => LoadedConfig;
    /** Reads them again, after the user has switched something. */
    readonly read: () => Promise<LoadedConfig>;
  };
  readonly mcpServers: () => readonly ServerView[];
  /** The tools of the turn that runs in a session. */
  readonly toolsOf: (sessionId: string) => readonly ToolDefinition[];
}

/** The plugins of both dialects, and what only one of them has. */
interface PluginSide {
  readonly plugins: AllPlugins;
  readonly dexto: DextoSide;
  /** Operator hooks have their consents in the same file. */
  readonly consents: ConsentStore;
}

/** Plugins are handed sessions, agents, tools and memory of the core; nothing is loaded yet. */
export function createPluginSide(parts: PluginSideParts): PluginSide {
  const { input, state, core, models, builtIn, traces, config } = parts;
  const { host, home, stateFolder } = input;
  const consents = createConsentStore(host.fs, home);
  const hangGuard = createHangGuard({ ...host, stateDir: stateFolder });
  const callGuard = createCallGuard({ clock: host.clock, stateDir: stateFolder, report: state.report });
  const settings = createPluginSettings(host.fs, home, state.folders, config.read);
  const dexto = createDextoSide({
    host,
    home,
    stateFolder,
    wasmFile: input.memoryFiles?.wasmFile ?? join(input.dist, 'sql-wasm.wasm'),
    ...(input.bundle === undefined ? {} : { bundle: input.bundle }),
    isTrusted: state.isTrusted,
    config: state.config,
    consents,
    hangGuard,
    callGuard,
    sessions: core.sessions,
    toolsOf: parts.toolsOf,
    mcpServers: () =>
      parts.mcpServers().map(({ name, isAddress, state: serverState, tools }) => ({
        name,
        type: isAddress ? 'http' : 'stdio',
        connected: serverState === 'running',
        tools: tools.map(({ toolName, description }) => ({ name: toolName, description })),
      })),
    redact: (text) => redactKeys(plugins.redact(text)),
  });
  parts.registry.provide(extensionPoints, dexto.plugins.points);
  const openClaw = createPluginManager({
    ...host,
    registry: parts.registry,
    hooks: parts.hooks,
    forbidden: parts.forbidden,
    hangGuard,
    callGuard,
    bundledDir: join(input.dist, 'plugins'),
    home,
    stateDir: stateFolder,
    coreToolNames: core.tools.core.map((tool) => tool.name),
    reservedCommands: input.reservedCommands,
    sessionState: core.state,
    agents: core.agents.embedded,
    schedule: parts.schedule,
    channels: parts.channels.runtimeOf,
    channelConfig: parts.channels.configOf,
    consents,
    complete: (request) =>
      completeText(
        {
          clock: host.clock,
          builtIn,
          findModel: (name) => models.find(name ?? state.config().model ?? 'built-in'),
        },
        request,
      ),
    describeImage: (request) => core.imageReader.describe(request),
    webSearch: {
      plan: (wish) => core.tools.webSearch.plan(wish),
      providers: () => [
        // Upstream has them as plugins of these ids.
        ...builtInSearches.map(({ id, label }) => ({ id, label, pluginId: id })),
        ...plugins.hostProviders().filter(({ kind }) => kind === 'web search provider'),
      ],
    },
    memory: {
      tools: core.tools.memoryTools,
      layout: state.layout,
      recall: () => {
        const { enabled, recall } = state.config().memory;
        return { ...recall, enabled: state.isTrusted() && enabled && recall.enabled };
      },
    },
    trace: traces.hookCalled,
    settings,
    hostConfig: createPluginConfig(state),
  });
  const plugins = joinDialects({
    openClaw,
    dexto: dexto.plugins,
    settings,
    config: () => config.last().config.plugins,
    callGuard,
    consents,
    findChanges: async (plugin) =>
      await findPluginChanges(
        host.fs,
        join(stateFolder, 'plugin-snapshots'),
        plugin,
        await consents.consents(),
      ),
    guards: (plugins) =>
      createGuardWatch({
        fs: host.fs,
        consents,
        configPath: userConfigPath(home),
        plugins,
        config: () => config.last().config.plugins,
        readsAgentFileOfWorkspace() {
          const { enabled, offByWorkspace, agentFile = input.agentFile } = config.last().config.dexto;
          return (
            agentFile === undefined && (enabled || offByWorkspace === true) && input.bundle === undefined
          );
        },
      }),
    agentFile() {
      const { enabled, agentFile: configured } = config.last().config.dexto;
      const path = input.agentFile ?? configured;
      if (input.bundle !== undefined) return { path: input.bundle };
      return enabled || input.agentFile !== undefined
        ? { ...(path === undefined ? {} : { path }) }
        : undefined;
    },
  });
  return { plugins, dexto, consents };
}

/** What plugins may read of the config; worked out once for each config, which is another one for other folders. */
function createPluginConfig({ config, folders }: RuntimeState): () => Readonly<Record<string, unknown>> {
  let made: { readonly from: PincerConfig; readonly shown: Readonly<Record<string, unknown>> } | undefined;
  return () => {
    const from = config();
    if (made?.from !== from) made = { from, shown: withoutSecrets(describeConfig(from, folders()[0])) };
    return made.shown;
  };
}

/** What the user decides about plugins goes below `plugins` of the user's or the first workspace's config. */
function createPluginSettings(
  fs: FileSystem,
  home: string,
  folders: () => readonly string[],
  /** Reads all config files again; what it gives holds from then on. */
  readConfig: () => Promise<LoadedConfig>,
): PluginSettings {
  return {
    async set(path, value, scope) {
      const [first] = folders();
      if (scope === 'workspace' && first === undefined) {
        throw new PincerError('workspace_missing', 'No folder is open.', {
          hint: 'Set it for yourself instead.',
        });
      }
      const file =
        scope === 'workspace' && first !== undefined ? workspaceConfigPath(first) : userConfigPath(home);
      await editConfigFile(fs, file, ['plugins', ...path], value);
      return (await readConfig()).config.plugins;
    },
  };
}
