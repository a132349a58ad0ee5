import { isRecord } from '../../../base/json.ts';
import type { MemorySearchManager, MemorySearchManagerOptions, PluginTool } from '../../../sdk/types.ts';
import { toPassage } from '../../../tools/core/memory/findPassages.ts';
import type { WorkspaceLayout } from '../../../tools/paths/workspaceLayout.ts';
import type { PluginMemory } from './pluginMemory.ts';

/** The memory as upstream's search manager, by the rules of the tools: `reader` is `memory_get` as a plugin may call it. */
export function createMemorySearchManager(
  { tools, layout, recall }: PluginMemory,
  reader: PluginTool,
  assertLoaded: () => void,
): MemorySearchManager {
  return {
    async search(query, options = {}) {
      assertLoaded();
      const signal = options.signal instanceof AbortSignal ? options.signal : new AbortController().signal;
      const hits = await tools.find(query, knownOptions(options), signal);
      return hits.map((hit) => ({ ...toPassage(hit, query), why: hit.why }));
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
      const globs = files.map((glob) => labelGlob(glob, layout()));
      return { backend: 'builtin', custom: { recall: { enabled, maxSnippets, files: globs } } };
    },
  };
}

/** Upstream's options have more, callbacks among them: those can't go to the memory's thread. */
function knownOptions(options: MemorySearchManagerOptions): MemorySearchManagerOptions {
  const known = ['maxResults', 'minScore', 'sources', 'files'] as const;
  return Object.fromEntries(
    known.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]])),
  );
}

/** A glob from each folder's top on, as one of paths: those begin with the folder's name where there are several. */
function labelGlob(glob: string, { roots }: WorkspaceLayout): string {
  return roots.length > 1 ? `*/${glob}` : `./${glob}`;
}
