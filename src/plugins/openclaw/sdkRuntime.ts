/**
 * The SDK as a module of its own, `dist/plugin-sdk/openclaw.mjs`: authors run the tests of their plugins with it, without a
 * host. It gives everything that `openclaw/plugin-sdk` gives a plugin; logs go to standard error, state to a temporary folder.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHostFunctions } from './createHostFunctions.ts';

export * from '../../sdk/accountId.ts';
export * from '../../sdk/channelAccounts.ts';
export * from '../../sdk/channelConfigAdapters.ts';
export * from '../../sdk/channelConfigEdits.ts';
export * from '../../sdk/channelConfigSchema.ts';
export * from '../../sdk/channelGroups.ts';
export * from '../../sdk/channelIngress.ts';
export * from '../../sdk/channelOutbound.ts';
export * from '../../sdk/channelPairing.ts';
export * from '../../sdk/chatChannelPlugin.ts';
export * from '../../sdk/channelSchemas.ts';
export * from '../../sdk/channelSecurity.ts';
export * from '../../sdk/channelSetup.ts';
export * from '../../sdk/channelStatus.ts';
export * from '../../sdk/channelText.ts';
export * from '../../sdk/channelWebhooks.ts';
export * from '../../sdk/hostnames.ts';
export * from '../../sdk/lazyModule.ts';
export * from '../../sdk/queues.ts';
export { defineChannelPluginEntry, defineSetupPluginEntry } from '../../sdk/channelEntries.ts';
export { buildMemorySystemPromptAddition, delegateCompactionToRuntime } from '../../sdk/contextEngine.ts';
export * from '../../sdk/coerce.ts';
export * from '../../sdk/fetchRuntime.ts';
export * from '../../sdk/models.ts';
export * from '../../sdk/paramReaders.ts';
export * from '../../sdk/pluginConfig.ts';
export * from '../../sdk/pluginConfigSchema.ts';
export * from '../../sdk/pluginEntry.ts';
export * from '../../sdk/providerEntry.ts';
export * from '../../sdk/providerHttp.ts';
export * from '../../sdk/providerStream.ts';
export * from '../../sdk/runtimeStore.ts';
export * from '../../sdk/secretInput.ts';
export * from '../../sdk/ssrf.ts';
export * from '../../sdk/textHelpers.ts';
export * from '../../sdk/time.ts';
export * from '../../sdk/toolHelpers.ts';
export * from '../../sdk/toolPlugin.ts';
export * from '../../sdk/webSearchProvider.ts';

export const {
  createSubsystemLogger,
  defineBundledChannelEntry,
  defineBundledChannelSetupEntry,
  emitAgentEvent,
  getChildLogger,
  loadBundledEntryExportSync,
  onAgentEvent,
  onDiagnosticEvent,
  redactToolPayloadText,
  resolveGlobalMap,
  resolveChannelInboundRouteEnvelope,
  resolveGlobalSingleton,
  resolveOAuthDir,
  resolvePreferredOpenClawTmpDir,
  resolveStateDir,
  runPluginCommandWithTimeout,
} = createHostFunctions({
  pluginId: 'test',
  log: { write: (level, message) => void process.stderr.write(`${level}: ${message}\n`) },
  stateDir: join(tmpdir(), `pincer-plugin-sdk-${String(process.pid)}`),
});
