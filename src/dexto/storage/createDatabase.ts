import type { Data, Database } from '../dextoTypes.ts';
import type { RowStore } from './backends.ts';
import { checkKey, checkPrefix } from './checkKey.ts';
import { invalidRange } from './storageErrors.ts';
import { readJson, writeJson } from './jsonText.ts';

/** One tenant's view of a database. It hands out copies, and no way to the backend. */
export function createDatabase(rows: RowStore, scope: string): Database {
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
