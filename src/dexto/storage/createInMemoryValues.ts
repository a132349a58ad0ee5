import type { Clock } from '../../host/ports.ts';
import type { ValueStore } from './backends.ts';

interface Entry {
  readonly json: string;
  /** By the monotonic clock, in milliseconds. */
  readonly until: number | undefined;
}

interface InMemoryValuesOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Characters of all values together, of all tenants. Default: 64 million. */
  readonly maxLength?: number;
}

/** A cache that goes with the process. Where there is no more room, what was not asked for the longest goes first. */
export function createInMemoryValues({ clock, maxLength = 64_000_000 }: InMemoryValuesOptions): ValueStore {
  /** The least used first: a map keeps the order in which its keys were added. */
  const entries = new Map<string, Entry>();
  let length = 0;
  const remove = (name: string): void => {
    length -= entries.get(name)?.json.length ?? 0;
    entries.delete(name);
  };
  const find = (name: string): Entry | undefined => {
    const entry = entries.get(name);
    if (entry?.until === undefined || clock.monotonic() < entry.until) return entry;
    remove(name);
    return undefined;
  };
  return {
    type: 'in-memory',
    isConnected: () => true,
    async get(scope, key) {
      const name = nameOf(scope, key);
      const entry = find(name);
      if (entry !== undefined) {
        entries.delete(name);
        entries.set(name, entry);
      }
      return await Promise.resolve(entry?.json);
    },
    async set(scope, key, json, ttlMs) {
      const name = nameOf(scope, key);
      remove(name);
      entries.set(name, { json, until: ttlMs === undefined ? undefined : clock.monotonic() + ttlMs });
      length += json.length;
      for (const oldest of entries.keys()) {
        if (length <= maxLength) break;
        remove(oldest);
      }
      await Promise.resolve();
    },
    async delete(scope, key) {
      remove(nameOf(scope, key));
      await Promise.resolve();
    },
    async close() {
      entries.clear();
      length = 0;
      await Promise.resolve();
    },
  };
}

/** The scope's length stands first: else the end of a scope could be taken for the beginning of a key. */
function nameOf(scope: string, key: string): string {
  return `${scope.length}:${scope}:${key}`;
}
