import { join, resolve } from 'node:path';
import type { BlobConfig, CacheConfig, DatabaseConfig, StorageConfig } from '../agentFile/storageConfig.ts';
import type { Clock, FileSystem, Log } from '../../host/ports.ts';
import type { ProcessOwner } from '../../host/processOwner.ts';
import type { BlobBackend, RowStore, ValueStore } from './backends.ts';
import { createFileBlobs } from './createFileBlobs.ts';
import { createInMemoryBlobs, createInMemoryRows, createInMemoryValues } from './inMemoryStorage.ts';
import { checkTenant } from '../tenant/checkTenant.ts';
import type { Tenant } from '../../contracts/tenant.ts';
import type { Cache, Data, Database, StorageBackends } from '../dextoTypes.ts';
import { invalidTtl, invalidRange, invalidKey, storageClosed } from './storageErrors.ts';
import { readJson, writeJson } from './jsonText.ts';

/** The storage of one agent; opened with the first use. */
export interface Storage {
  /** What this tenant has; without a tenant what belongs to none. Nothing of another tenant can be reached by any key. */
  forTenant(tenant: Tenant | undefined): StorageBackends;
  /** Writes what waits to be written, and disconnects. */
  close(): Promise<void>;
}

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

// Threat: a plugin, or who chooses the id of a tenant, reaches the data of another tenant by the form of a key or an id. So the
// scope is a value of its own beside the key in every backend, never a part of it that a key could imitate.
/**
 * Whose data it is, as a text: one for each tenant, and another for what belongs to none. Users of a tenant share its data.
 * @throws PincerError `tenant_invalid` for an id that a backend might change, so that two become one
 */
function scopeOf(tenant: Tenant | undefined): string {
  const { tenantId } = checkTenant(tenant ?? {});
  return tenantId === undefined ? '' : `t${tenantId}`;
}

/** Longer than anybody waits: 100 years. Redis takes no more than fits its clock. */
const maxTtlSeconds = 3_153_600_000;

/** One tenant's view of a cache. It hands out copies, and no way to the backend. */
function createCache(values: ValueStore, scope: string): Cache {
  return Object.freeze<Cache>({
    async get<T>(key: string) {
      checkKey(key);
      const json = await values.get(scope, key);
      return json === undefined ? undefined : (readJson(key, json) as T);
    },
    async set(key: string, value: Data, ttlSeconds?: number) {
      checkKey(key);
      if (ttlSeconds !== undefined && !(ttlSeconds > 0)) throw invalidTtl(ttlSeconds);
      const ttlMs =
        ttlSeconds === undefined ? undefined : Math.ceil(Math.min(ttlSeconds, maxTtlSeconds) * 1_000);
      await values.set(scope, key, writeJson(key, value), ttlMs);
    },
    async delete(key: string) {
      checkKey(key);
      await values.delete(scope, key);
    },
    isConnected: () => values.isConnected(),
    getStoreType: () => values.type,
  });
}

/** One tenant's view of a database. It hands out copies, and no way to the backend. */
function createDatabase(rows: RowStore, scope: string): Database {
  return Object.freeze<Database>({
    async get<T>(key: string) {
      checkKey(key);
      const json = await rows.get(scope, key);
      return json === undefined ? undefined : (readJson(key, json) as T);
    },
    async set(key: string, value: Data) {
      checkKey(key);
      await rows.set(scope, key, writeJson(key, value));
    },
    async delete(key: string) {
      checkKey(key);
      await rows.delete(scope, key);
    },
    async list(prefix: string) {
      checkPrefix(prefix);
      return (await rows.keys(scope, prefix)).sort();
    },
    async append(key: string, item: Data) {
      checkKey(key);
      await rows.append(scope, key, writeJson(key, item));
    },
    async getRange<T>(key: string, start: number, count: number) {
      checkKey(key);
      if (!isCount(start) || !isCount(count)) throw invalidRange(start, count);
      return (await rows.range(scope, key, start, count)).map((json) => readJson(key, json) as T);
    },
    isConnected: () => rows.isConnected(),
    getStoreType: () => rows.type,
  });
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** PostgreSQL's index takes 2,700 bytes for scope and key together. */
const maxBytes = 1_024;

/** @throws PincerError `storage_invalid_key`, in every backend alike */
function checkKey(key: unknown): asserts key is string {
  if (typeof key !== 'string' || key === '') throw invalidKey('is a text that is not empty');
  checkPrefix(key);
}

/** A prefix may be empty: then it is of every key. @throws PincerError `storage_invalid_key` */
function checkPrefix(prefix: unknown): asserts prefix is string {
  if (typeof prefix !== 'string') throw invalidKey('is a text');
  const fault = textFault(prefix, maxBytes);
  if (fault !== undefined) throw invalidKey(fault);
}

/** Half of a character outside the first plane: it has no UTF-8, and would be stored as another. */
const loneSurrogate = /\p{Surrogate}/u;

/** Why a text can't name something in every backend as it is; undefined where it can. */
function textFault(text: string, maxTextBytes: number): string | undefined {
  if (text.includes('\0')) return 'has a NUL in it';
  if (loneSurrogate.test(text)) return 'has half a character in it';
  const bytes = Buffer.byteLength(text);
  return bytes > maxTextBytes ? `has ${bytes} bytes, of at most ${maxTextBytes}` : undefined;
}

/** A backend that is opened with the first use; one that could not be is tried again with the next. */
interface Lazy<T> {
  get(): Promise<T>;
  /** Once it is open. */
  readonly value: T | undefined;
  close(): Promise<void>;
}

function createLazy<T extends { close(): Promise<void> }>(open: () => Promise<T>): Lazy<T> {
  let opening: Promise<T> | undefined;
  let value: T | undefined;
  let isClosed = false;
  const start = async (): Promise<T> => {
    try {
      return (value = await open());
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
  return {
    async get() {
      if (isClosed) throw storageClosed();
      return await (opening ??= start());
    },
    get value() {
      return value;
    },
    async close() {
      isClosed = true;
      // Who asked for it has been told if it could not be opened.
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}

function createLazyRows(type: string, open: () => Promise<RowStore>): RowStore {
  const lazy = createLazy(open);
  return {
    type,
    isConnected: () => lazy.value?.isConnected() === true,
    get: async (...args) => await (await lazy.get()).get(...args),
    set: async (...args) => await (await lazy.get()).set(...args),
    delete: async (...args) => await (await lazy.get()).delete(...args),
    keys: async (...args) => await (await lazy.get()).keys(...args),
    append: async (...args) => await (await lazy.get()).append(...args),
    range: async (...args) => await (await lazy.get()).range(...args),
    close: () => lazy.close(),
  };
}

function createLazyValues(type: string, open: () => Promise<ValueStore>): ValueStore {
  const lazy = createLazy(open);
  return {
    type,
    isConnected: () => lazy.value?.isConnected() === true,
    get: async (...args) => await (await lazy.get()).get(...args),
    set: async (...args) => await (await lazy.get()).set(...args),
    delete: async (...args) => await (await lazy.get()).delete(...args),
    close: () => lazy.close(),
  };
}
