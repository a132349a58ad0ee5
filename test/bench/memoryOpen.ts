import { join } from 'node:path';
import { projectRoot } from '../../scripts/projectRoot.ts';
import { memorySection } from '../../src/config/sections/memorySection.ts';
import { createNodeHost } from '../../src/host/node/createNodeHost.ts';
import { createInMemoryLog } from '../../src/host/memory/inMemoryLog.ts';
import { createInMemorySecrets } from '../../src/host/memory/inMemorySecrets.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { createMemory } from '../../src/memory/worker/createMemory.ts';

/** The shipped memory over one folder, with the defaults of the config and no embeddings. Its thread has not started yet. */
export function openBenchMemory(folder: string, stateFolder: string): Memory {
  const dist = join(projectRoot, 'dist');
  const { include, exclude, sources, chunking, query, embeddings } = memorySection.resolve(undefined);
  return createMemory({
    ...createNodeHost({ secrets: createInMemorySecrets(), log: createInMemoryLog() }),
    workerFile: join(dist, 'memoryWorker.js'),
    place: { folder: stateFolder, wasmFile: join(dist, 'sql-wasm.wasm') },
    isEnabled: () => true,
    settings: () => ({
      roots: [{ path: folder, name: 'bench', exclude: [] }],
      include,
      exclude,
      extraPaths: [],
      sources,
      sessionsFolder: join(stateFolder, 'sessions'),
      chunking,
      query,
      embeddings: { ...embeddings, provider: 'none' },
      keys: {},
    }),
  });
}
