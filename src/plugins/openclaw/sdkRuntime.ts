/**
 * The SDK as a module of its own, `dist/plugin-sdk/openclaw.mjs`: authors run the tests of their plugins with it, without a
 * host. It gives everything that `openclaw/plugin-sdk` gives a plugin; logs go to standard error, state to a temporary folder.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHostFunctions } from './createHostFunctions.ts';

export * from '../../sdk/accountId.ts';
export { buildMemorySystemPromptAddition, delegateCompactionToRuntime } from '../../sdk/contextEngine.ts';
export * from '../../sdk/fetchRuntime.ts';
export * from '../../sdk/models.ts';
export * from '../../sdk/paramReaders.ts';
export * from '../../sdk/pluginConfig.ts';
export * from '../../sdk/pluginConfigSchema.ts';
export * from '../../sdk/pluginEntry.ts';
export * from '../../sdk/runtimeStore.ts';
export * from '../../sdk/secretInput.ts';
export * from '../../sdk/textHelpers.ts';
export * from '../../sdk/time.ts';
export * from '../../sdk/toolHelpers.ts';
export * from '../../sdk/toolPlugin.ts';

export const {
  createSubsystemLogger,
  emitAgentEvent,
  onAgentEvent,
  onDiagnosticEvent,
  resolvePreferredOpenClawTmpDir,
  resolveStateDir,
  runPluginCommandWithTimeout,
} = createHostFunctions({
  pluginId: 'test',
  log: { write: (level, message) => void process.stderr.write(`${level}: ${message}\n`) },
  stateDir: join(tmpdir(), `pincer-plugin-sdk-${String(process.pid)}`),
});
