import { loadSqlite } from '../../host/loadSqlite.ts';
import type { FileSystem } from '../../host/ports.ts';
import type { RowStore, ValueStore } from './backends.ts';
import type { PostgresOptions } from './postgres/createPostgresPool.ts';
import type { RedisOptions } from './redis/createRedisValues.ts';
import type { SqliteOptions } from './sqlite/createSqliteRows.ts';

/*
 * The backends that take a library. This module is a bundle of its own (esbuild.mjs), loaded with the first use of a storage;
 * within it each library waits until its backend is the one that is asked for.
 */

export async function openPostgresRows(options: PostgresOptions): Promise<RowStore> {
  const { createPostgresRows } = await import('./postgres/createPostgresRows.ts');
  return createPostgresRows(options);
}

export async function openRedisValues(options: RedisOptions): Promise<ValueStore> {
  const { createRedisValues } = await import('./redis/createRedisValues.ts');
  return createRedisValues(options);
}

export async function openSqliteRows(
  options: Omit<SqliteOptions, 'sqlite'> & { readonly fs: FileSystem; readonly wasmFile: string },
): Promise<RowStore> {
  const { createSqliteRows } = await import('./sqlite/createSqliteRows.ts');
  return createSqliteRows({ ...options, sqlite: await loadSqlite(options.fs, options.wasmFile) });
}
