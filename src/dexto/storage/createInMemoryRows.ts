import type { RowStore } from './backends.ts';
import { isListText, itemsOf, joinRows } from './listTexts.ts';
import { notAList } from './storageErrors.ts';

interface Entry {
  value: string | undefined;
  readonly appended: string[];
}

/** A database that goes with the process: for tests, and for who wants nothing kept. */
export function createInMemoryRows(): RowStore {
  const scopes = new Map<string, Map<string, Entry>>();
  const entriesOf = (scope: string): Map<string, Entry> => {
    const entries = scopes.get(scope) ?? new Map<string, Entry>();
    scopes.set(scope, entries);
    return entries;
  };
  return {
    type: 'in-memory',
    isConnected: () => true,
    async get(scope, key) {
      const entry = entriesOf(scope).get(key);
      return await Promise.resolve(entry === undefined ? undefined : joinRows(entry));
    },
    async set(scope, key, json) {
      await Promise.resolve(entriesOf(scope).set(key, { value: json, appended: [] }));
    },
    async delete(scope, key) {
      await Promise.resolve(entriesOf(scope).delete(key));
    },
    async keys(scope, prefix) {
      return await Promise.resolve([...entriesOf(scope).keys()].filter((key) => key.startsWith(prefix)));
    },
    async append(scope, key, json) {
      const entries = entriesOf(scope);
      const entry = entries.get(key) ?? { value: undefined, appended: [] };
      if (entry.value !== undefined && !isListText(entry.value)) throw notAList(key);
      entry.appended.push(json);
      await Promise.resolve(entries.set(key, entry));
    },
    async range(scope, key, start, count) {
      const entry = entriesOf(scope).get(key);
      const items = [...itemsOf(key, entry?.value), ...(entry?.appended ?? [])];
      return await Promise.resolve(items.slice(start, start + count));
    },
    async close() {
      scopes.clear();
      await Promise.resolve();
    },
  };
}
