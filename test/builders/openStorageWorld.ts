import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageConfig } from '../../src/dexto/agentFile/storageConfig.ts';
import { type Storage, createStorage, type StorageDeps } from '../../src/dexto/storage/createStorage.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { nodeProcessTimes } from '../../src/host/node/nodeProcessTimes.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import { createProcessOwner } from '../../src/host/processOwner.ts';

export const inMemoryStorage: StorageConfig = {
  database: { type: 'in-memory' },
  cache: { type: 'in-memory' },
  blob: { type: 'in-memory' },
};

/** The real parts of a storage, with its files in a folder. */
export function storageDeps(folder: string): StorageDeps {
  return {
    fs: createNodeFileSystem(),
    clock: systemClock,
    owner: createProcessOwner(nodeProcessTimes(), process.pid),
    log: { write: () => undefined },
    folder,
    wasmFile: createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'),
    // Tests of other things do not fail because the machine is busy.
    limitMs: 60_000,
  };
}

/** A temporary folder, and storages that keep their files in it. */
export interface StorageWorld {
  readonly folder: string;
  readonly deps: StorageDeps;
  /** As another window would: with what is on disk or on the server in common. */
  open(changes: Partial<StorageConfig>, deps?: Partial<StorageDeps>): Storage;
  /** Closes all that was opened and removes the folder. */
  close(): Promise<void>;
}

export async function openStorageWorld(): Promise<StorageWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'pincer-storage-'));
  const deps = storageDeps(folder);
  const opened: Storage[] = [];
  return {
    folder,
    deps,
    open(changes, otherDeps = {}) {
      const storage = createStorage({ ...inMemoryStorage, ...changes }, { ...deps, ...otherDeps });
      opened.push(storage);
      return storage;
    },
    async close() {
      for (const storage of opened) await storage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
