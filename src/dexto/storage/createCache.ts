import type { Cache, Data } from '../dextoTypes.ts';
import type { ValueStore } from './backends.ts';
import { checkKey } from './checkKey.ts';
import { invalidTtl } from './storageErrors.ts';
import { readJson, writeJson } from './jsonText.ts';

/** Longer than anybody waits: 100 years. Redis takes no more than fits its clock. */
const maxTtlSeconds = 3_153_600_000;

/** One tenant's view of a cache. It hands out copies, and no way to the backend. */
export function createCache(values: ValueStore, scope: string): Cache {
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
