import { basename, join } from 'node:path';
import { mergeConfig } from '../../src/config/mergeConfig.ts';
import { createInMemoryLog } from '../../src/host/memory/inMemoryLog.ts';
import { createNodeWorkers } from '../../src/host/node/nodeWorkers.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { createMemory } from '../../src/memory/worker/createMemory.ts';
import { memoryFiles } from './openTestRuntime.ts';

/** The memory as it ships, over one folder, with its thread run from the sources; without embeddings. */
export function openRealMemory(workspace: string, stateFolder: string): Memory {
  const { include, exclude, sources, chunking, query, embeddings } = mergeConfig({}, []).config.memory;
  return createMemory({
    workers: createNodeWorkers(),
    clock: systemClock,
    log: createInMemoryLog(),
    workerFile: memoryFiles.workerFile,
    place: { folder: join(stateFolder, 'memory'), wasmFile: memoryFiles.wasmFile },
    isEnabled: () => true,
    settings: () => ({
      ...{ include, exclude, sources, chunking, query },
      roots: [{ path: workspace, name: basename(workspace), exclude: [] }],
      extraPaths: [],
      sessionsFolder: join(stateFolder, 'sessions'),
      embeddings: { ...embeddings, provider: 'none' },
      keys: {},
    }),
  });
}
