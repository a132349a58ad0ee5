import { join } from 'node:path';
import { createInMemoryLog } from './inMemoryLog.ts';
import { createNodeWorkers } from '../../src/host/node/nodeWorkers.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { createMemory } from '../../src/memory/worker/createMemory.ts';
import { memorySettingsFor } from './memorySettingsFor.ts';
import { memoryFiles } from './openTestRuntime.ts';

/** The memory as it ships, over one folder; without embeddings. */
export function openRealMemory(workspace: string, stateFolder: string): Memory {
  const { workerFile, wasmFile } = memoryFiles();
  return createMemory({
    workers: createNodeWorkers(),
    clock: systemClock,
    log: createInMemoryLog(),
    workerFile,
    place: { folder: join(stateFolder, 'memory'), wasmFile },
    isEnabled: () => true,
    settings: () => memorySettingsFor(workspace, join(stateFolder, 'sessions')),
  });
}
