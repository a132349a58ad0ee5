import { isRecord } from '../../../base/json.ts';
import type { MemorySearchManager, PluginTool } from '../../../sdk/types.ts';
import { toPassage } from '../../../tools/core/memory/findPassages.ts';
import type { PluginMemory } from './pluginMemory.ts';

/** The memory as upstream's search manager, by the rules of the tools: `reader` is `memory_get` as a plugin may call it. */
export function createMemorySearchManager(
  { tools, recall }: PluginMemory,
  reader: PluginTool,
  assertLoaded: () => void,
): MemorySearchManager {
  return {
    async search(query, { signal = new AbortController().signal, ...options } = {}) {
      assertLoaded();
      const { hits } = await tools.find(query, options, signal);
      return hits.map((hit) => ({ ...toPassage(hit), why: hit.why }));
    },
    async readFile({ relPath, ...page }) {
      const { details } = await reader.execute('readFile', { path: relPath, ...page });
      const { path, text } = isRecord(details) ? details : {};
      return {
        path: typeof path === 'string' ? path : relPath,
        text: typeof text === 'string' ? text : '',
      };
    },
    status() {
      assertLoaded();
      const { enabled, maxSnippets, files } = recall();
      return { backend: 'builtin', custom: { recall: { enabled, maxSnippets, files } } };
    },
  };
}
