import { createSymbolModule, type ModuleExports } from '../load/createSymbolModule.ts';
import type { HostModules, RequireFrom } from '../load/hostModules.ts';
import { noEditorApi } from '../load/moduleErrors.ts';
import { z } from 'zod';
import * as accountId from '../../sdk/accountId.ts';
import * as accounts from '../../sdk/channelAccounts.ts';
import * as channelConfig from '../../sdk/channelConfigAdapters.ts';
import * as channelEdits from '../../sdk/channelConfigEdits.ts';
import * as channelSchema from '../../sdk/channelConfigSchema.ts';
import * as groups from '../../sdk/channelGroups.ts';
import * as ingress from '../../sdk/channelIngress.ts';
import * as outbound from '../../sdk/channelOutbound.ts';
import * as pairing from '../../sdk/channelPairing.ts';
import * as channel from '../../sdk/chatChannelPlugin.ts';
import * as schemas from '../../sdk/channelSchemas.ts';
import * as security from '../../sdk/channelSecurity.ts';
import * as setup from '../../sdk/channelSetup.ts';
import * as ssrf from '../../sdk/ssrf.ts';
import * as status from '../../sdk/channelStatus.ts';
import * as channelText from '../../sdk/channelText.ts';
import * as webhooks from '../../sdk/channelWebhooks.ts';
import * as hostnames from '../../sdk/hostnames.ts';
import * as lazy from '../../sdk/lazyModule.ts';
import * as queues from '../../sdk/queues.ts';
import { defineChannelPluginEntry, defineSetupPluginEntry } from '../../sdk/channelEntries.ts';
import { buildMemorySystemPromptAddition, delegateCompactionToRuntime } from '../../sdk/contextEngine.ts';
import * as coerce from '../../sdk/coerce.ts';
import * as configSchema from '../../sdk/pluginConfigSchema.ts';
import * as fetchRuntime from '../../sdk/fetchRuntime.ts';
import type * as hostFunctions from '../../sdk/hostFunctions.ts';
import * as models from '../../sdk/models.ts';
import * as paramReaders from '../../sdk/paramReaders.ts';
import * as pluginConfig from '../../sdk/pluginConfig.ts';
import * as pluginEntry from '../../sdk/pluginEntry.ts';
import * as providerEntry from '../../sdk/providerEntry.ts';
import * as providerHttp from '../../sdk/providerHttp.ts';
import * as providerStream from '../../sdk/providerStream.ts';
import * as runtimeStore from '../../sdk/runtimeStore.ts';
import * as secretInput from '../../sdk/secretInput.ts';
import * as text from '../../sdk/textHelpers.ts';
import * as time from '../../sdk/time.ts';
import * as toolHelpers from '../../sdk/toolHelpers.ts';
import * as toolPlugin from '../../sdk/toolPlugin.ts';
import * as webSearch from '../../sdk/webSearchProvider.ts';

type SdkExports = Readonly<Record<string, unknown>>;
export type SdkModules = Readonly<Record<string, SdkExports>>;

/** What plugins of channels import. */
const channelParts: SdkExports = {
  ...accounts,
  ...channel,
  ...channelConfig,
  ...channelEdits,
  ...channelSchema,
  ...channelText,
  ...groups,
  ...hostnames,
  ...ingress,
  ...lazy,
  ...outbound,
  ...pairing,
  ...queues,
  ...schemas,
  ...security,
  ...setup,
  ...status,
  ...webhooks,
  defineChannelPluginEntry,
  defineSetupPluginEntry,
};

/**
 * The modules of the SDK by subpath; '' is the root, which exports everything. Upstream has moved its symbols more
 * than once, so a symbol that a subpath lacks is looked up in the root (`createVirtualModules`).
 */
export function createSdkModules(host: typeof hostFunctions): SdkModules {
  const root: SdkExports = {
    ...accountId,
    ...channelParts,
    buildMemorySystemPromptAddition,
    delegateCompactionToRuntime,
    ...coerce,
    ...configSchema,
    ...fetchRuntime,
    ...host,
    ...models,
    ...paramReaders,
    ...pluginConfig,
    ...pluginEntry,
    ...providerEntry,
    ...providerHttp,
    ...providerStream,
    ...runtimeStore,
    ...secretInput,
    ...ssrf,
    ...text,
    ...time,
    ...toolHelpers,
    ...toolPlugin,
    ...webSearch,
  };
  const { createSubsystemLogger, runPluginCommandWithTimeout, resolveStateDir } = host;
  const { defineBundledChannelEntry, defineBundledChannelSetupEntry, loadBundledEntryExportSync } = host;
  const { resolvePreferredOpenClawTmpDir, onDiagnosticEvent, emitAgentEvent, onAgentEvent } = host;
  return {
    '': root,
    core: root,
    types: {},
    'account-id': accountId,
    'channel-entry-contract': {
      defineBundledChannelEntry,
      defineBundledChannelSetupEntry,
      loadBundledEntryExportSync,
    },
    'agent-runtime': { ...models, ...toolHelpers, ...paramReaders, emitAgentEvent, onAgentEvent },
    'diagnostic-runtime': { onDiagnosticEvent },
    'error-runtime': { formatErrorMessage: text.formatErrorMessage },
    'fetch-runtime': fetchRuntime,
    'param-readers': paramReaders,
    'plugin-config-runtime': pluginConfig,
    'plugin-entry': pluginEntry,
    'run-command': { runPluginCommandWithTimeout },
    'runtime-env': { ...time, createSubsystemLogger },
    'runtime-store': runtimeStore,
    'secret-input': secretInput,
    'state-paths': { resolveStateDir },
    'temp-path': { resolvePreferredOpenClawTmpDir },
    'text-runtime': text,
    'tool-plugin': { ...pluginEntry, ...toolHelpers, ...toolPlugin },
    zod: { z },
  };
}

/** All names of the SDK; a subpath is taken whole, so that the longest one counts. */
const sdkModule = /^@?openclaw(?:\/(?:plugin-sdk(?:\/(?<subpath>.+?))?|extension-api))?(?:\.js)?$/u;

/**
 * Modules that exist only for plugins: the SDK under all its names and subpaths, whole or not. A symbol that is missing can
 * be imported; using it throws.
 */
export function createVirtualModules(
  pluginId: string,
  modules: (requireFrom?: RequireFrom) => SdkModules,
): HostModules {
  const made = new Map<string, { readonly exports: unknown }>();
  let sdk: SdkModules | undefined;
  return (name, requireFrom) => {
    if (name === 'vscode') throw noEditorApi(pluginId);
    const hit = sdkModule.exec(name);
    if (hit === null) return undefined;
    const known = made.get(name) ?? {
      exports: sdkExports(name, hit.groups?.['subpath'] ?? '', pluginId, (sdk ??= modules(requireFrom))),
    };
    made.set(name, known);
    return known;
  };
}

function sdkExports(name: string, subpath: string, pluginId: string, modules: SdkModules): ModuleExports {
  const own = Object.hasOwn(modules, subpath) ? modules[subpath] : undefined;
  return createSymbolModule({ name, pluginId, own: own ?? {}, more: modules[''] ?? {} });
}
