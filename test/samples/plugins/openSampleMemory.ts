import type { Clock, FileSystem } from '../../../src/host/ports.ts';
import type { Memory } from '../../../src/memory/memory.ts';
import type { PluginMemory } from '../../../src/plugins/openclaw/runtime/pluginMemory.ts';
import { createMemoryTools } from '../../../src/tools/core/memory/createMemoryTools.ts';
import { createDiskFiles } from '../../../src/tools/createDiskFiles.ts';

/** The memory of a sample's workspace as the runtime gives it to plugins. */
export function openSampleMemory(
  memory: Memory,
  { fs, clock, workspace }: { readonly fs: FileSystem; readonly clock: Clock; readonly workspace: string },
): PluginMemory {
  const layout = () => ({ roots: [workspace], platform: process.platform });
  return {
    layout,
    recall: () => ({ enabled: true, maxSnippets: 3, files: ['MEMORY.md'] }),
    tools: createMemoryTools({
      fs,
      clock,
      layout,
      memory,
      files: createDiskFiles(fs),
      maxResultChars: 16_000,
      config: () => ({ enabled: true, sources: ['memory'] }),
      extraPaths: () => [],
    }),
  };
}
