import { z } from 'zod';
import * as accountId from '../../sdk/accountId.ts';
import { buildMemorySystemPromptAddition, delegateCompactionToRuntime } from '../../sdk/contextEngine.ts';
import * as configSchema from '../../sdk/pluginConfigSchema.ts';
import * as fetchRuntime from '../../sdk/fetchRuntime.ts';
import type * as hostFunctions from '../../sdk/hostFunctions.ts';
import * as models from '../../sdk/models.ts';
import * as paramReaders from '../../sdk/paramReaders.ts';
import * as pluginConfig from '../../sdk/pluginConfig.ts';
import * as pluginEntry from '../../sdk/pluginEntry.ts';
import * as runtimeStore from '../../sdk/runtimeStore.ts';
import * as secretInput from '../../sdk/secretInput.ts';
import * as text from '../../sdk/textHelpers.ts';
import * as time from '../../sdk/time.ts';
import * as toolHelpers from '../../sdk/toolHelpers.ts';
import * as toolPlugin from '../../sdk/toolPlugin.ts';

export type SdkExports = Readonly<Record<string, unknown>>;
export type SdkModules = Readonly<Record<string, SdkExports>>;

/**
 * What stands under which subpath of the SDK; '' is the root, which holds everything. Upstream has moved its symbols more
 * than once, so a symbol that a subpath lacks is looked up in the root (`createVirtualModules`).
 */
export function createSdkModules(host: typeof hostFunctions): SdkModules {
  const root: SdkExports = {
    ...accountId,
    buildMemorySystemPromptAddition,
    delegateCompactionToRuntime,
    ...configSchema,
    ...fetchRuntime,
    ...host,
    ...models,
    ...paramReaders,
    ...pluginConfig,
    ...pluginEntry,
    ...runtimeStore,
    ...secretInput,
    ...text,
    ...time,
    ...toolHelpers,
    ...toolPlugin,
  };
  const { createSubsystemLogger, runPluginCommandWithTimeout, resolveStateDir } = host;
  const { resolvePreferredOpenClawTmpDir, onDiagnosticEvent, emitAgentEvent, onAgentEvent } = host;
  return {
    '': root,
    core: root,
    types: {},
    'account-id': accountId,
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
