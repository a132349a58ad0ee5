import { join } from 'node:path';
import { projectRoot } from '../../scripts/projectRoot.ts';
import { createNodeHost } from '../../src/host/node/createNodeHost.ts';
import { createInMemoryLog } from '../builders/inMemoryLog.ts';
import { createInMemorySecrets } from '../../src/host/createInMemorySecrets.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { createMemory } from '../../src/memory/worker/createMemory.ts';
import { memorySettingsFor } from '../builders/memorySettingsFor.ts';

/** The shipped memory over one folder, with the defaults of the config and no embeddings. Its thread has not started yet. */
export function openBenchMemory(folder: string, stateFolder: string): Memory {
  const dist = join(projectRoot, 'dist');
  return createMemory({
    ...createNodeHost({ secrets: createInMemorySecrets(), log: createInMemoryLog() }),
    workerFile: join(dist, 'memoryWorker.js'),
    place: { folder: stateFolder, wasmFile: join(dist, 'sql-wasm.wasm') },
    isEnabled: () => true,
    settings: () => memorySettingsFor(folder, join(stateFolder, 'sessions')),
  });
}
