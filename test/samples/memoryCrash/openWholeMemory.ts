import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { createNodeWorkers } from '../../../src/host/node/nodeWorkers.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import type { Memory } from '../../../src/memory/memory.ts';
import { createMemory } from '../../../src/memory/worker/createMemory.ts';
import { memorySettingsFor } from '../../builders/memorySettingsFor.ts';
import { wasmFile } from '../../builders/openEngineWorld.ts';

/** The memory as the runtime composes it, from the sources, over `<root>/workspace` and `<root>/state`. */
export async function openWholeMemory(root: string): Promise<Memory> {
  await mkdir(workspaceOf(root), { recursive: true });
  return createMemory({
    workers: createNodeWorkers(),
    clock: systemClock,
    log: createInMemoryLog(),
    workerFile: join(import.meta.dirname, '../../../src/runtime/memoryWorker.ts'),
    place: { folder: join(root, 'state'), wasmFile },
    isEnabled: () => true,
    settings: () => memorySettingsFor(workspaceOf(root), join(root, 'sessions')),
  });
}

export function workspaceOf(root: string): string {
  return join(root, 'workspace');
}
