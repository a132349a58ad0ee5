import { join, resolve } from 'node:path';
import type { Clock, FileSystem, Log } from '../../host/ports.ts';
import type { ProcessOwner } from '../../host/processOwner.ts';
import type { BlobBackend, RowStore, ValueStore } from './backends.ts';
import { createCache } from './createCache.ts';
import { createDatabase } from './createDatabase.ts';
import { createFileBlobs } from './createFileBlobs.ts';
import { createInMemoryBlobs } from './createInMemoryBlobs.ts';
import { createInMemoryRows } from './createInMemoryRows.ts';
import { createInMemoryValues } from './createInMemoryValues.ts';
import { createLazyRows, createLazyValues } from './createLazy.ts';
import { scopeOf } from './scopeOf.ts';
import type { BlobConfig, CacheConfig, DatabaseConfig, Storage, StorageConfig } from './storage.ts';

export interface StorageDeps {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly owner: ProcessOwner;
  readonly log: Log;
  /** Where files go that the agent file gives no place: an absolute path below the state folder. */
  readonly folder: string;
  /** Absolute path of sql.js's `sql-wasm.wasm`. */
  readonly wasmFile: string;
  /** Of one use of a server or of a file that others write: milliseconds. Default: `serverLimitMs`. */
  readonly limitMs?: number;
}

/** The storage of an agent (Dexto plugin specification, ExecutionContext: storage backends). Nothing is opened or loaded before its first use. */
export function createStorage(config: StorageConfig, deps: StorageDeps): Storage {
  const rows = rowsOf(config.database, deps);
  const values = valuesOf(config.cache, deps);
  const blobs = blobsOf(config.blob, deps);
  return {
    forTenant(tenant) {
      const scope = scopeOf(tenant);
      return Object.freeze({
        database: createDatabase(rows, scope),
        cache: createCache(values, scope),
        blob: blobs.forScope(scope),
      });
    },
    async close() {
      const results = await Promise.allSettled([rows.close(), values.close()]);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
  };
}

function rowsOf(config: DatabaseConfig, deps: StorageDeps): RowStore {
  switch (config.type) {
    case 'in-memory':
      return createInMemoryRows();
    case 'sqlite': {
      const file = resolve(deps.folder, config.path ?? 'storage.sqlite');
      return createLazyRows('sqlite', async () => {
        const { openSqliteRows } = await import('./lazyBackends.ts');
        return await openSqliteRows({ ...deps, file });
      });
    }
    case 'postgres':
      return createLazyRows('postgres', async () => {
        const { openPostgresRows } = await import('./lazyBackends.ts');
        return await openPostgresRows({ ...deps, ...config });
      });
  }
}

function valuesOf(config: CacheConfig, deps: StorageDeps): ValueStore {
  if (config.type === 'in-memory') return createInMemoryValues(deps);
  return createLazyValues('redis', async () => {
    const { openRedisValues } = await import('./lazyBackends.ts');
    return await openRedisValues({ ...deps, ...config });
  });
}

function blobsOf(config: BlobConfig, { fs, folder }: StorageDeps): BlobBackend {
  if (config.type === 'in-memory') return createInMemoryBlobs();
  const place = config.storePath === undefined ? join(folder, 'blobs') : resolve(folder, config.storePath);
  return createFileBlobs({ fs, folder: place, maxBlobBytes: config.maxBlobSize });
}
