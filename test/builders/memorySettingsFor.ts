import { memorySection } from '../../src/config/sections/memorySection.ts';
import type { MemorySettings } from '../../src/memory/memorySettings.ts';

/** The defaults of the config for one folder, without embeddings. */
export function memorySettingsFor(root: string, sessionsFolder: string): MemorySettings {
  const { include, exclude, sources, chunking, query, embeddings } = memorySection.resolve(undefined);
  return {
    roots: [{ path: root, name: 'workspace', exclude: [] }],
    include,
    exclude,
    extraPaths: [],
    sources,
    sessionsFolder,
    chunking,
    query,
    embeddings: { ...embeddings, provider: 'none' },
    isTrusted: true,
    keys: {},
  };
}
