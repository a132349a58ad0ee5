import { randomBytes } from 'node:crypto';
import type { OpenClawPluginApi } from 'openclaw/plugin-sdk';
import { findRecalled } from './findRecalled.ts';
import { quoteNotes } from './quoteNotes.ts';

interface MemoryCoreConfig {
  readonly patienceMs: number;
}

export default {
  id: 'memory-core',
  kind: 'memory',
  register(api: OpenClawPluginApi): void {
    // The manifest's configSchema guarantees the shape and fills in the default.
    const { patienceMs } = api.pluginConfig as unknown as MemoryCoreConfig;
    const { tools, memory } = api.runtime;
    api.registerTool(
      (context) =>
        [
          tools.createMemorySearchTool(context),
          tools.createMemoryGetTool(context),
          tools.createMemoryAppendTool(context),
        ].filter((tool) => tool !== null),
      { names: ['memory_search', 'memory_get', 'memory_append'] },
    );

    api.on('before_prompt_build', async ({ prompt }) => {
      const { manager } = await memory.getActiveMemorySearchManager();
      if (manager === null) return undefined;
      try {
        const found = await findRecalled(manager, prompt, AbortSignal.timeout(patienceMs));
        const block = quoteNotes(found, randomBytes(8).toString('hex'));
        return block === undefined ? undefined : { prependContext: block };
      } catch (error) {
        api.logger.warn(`no notes were looked up: ${String(error)}`);
        return undefined;
      }
    });
  },
};
