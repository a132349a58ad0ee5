import type { Clock } from '../../host/ports.ts';
import type { ValueStore, RowStore, BlobBackend } from './backends.ts';
import { isListText, itemsOf, joinRows } from './listTexts.ts';
import { notAList } from './storageErrors.ts';
import { randomUUID } from 'node:crypto';
import type { BlobMetadata, BlobReference, BlobStore } from '../dextoTypes.ts';
import { toBytes, usualMaxBlobBytes, writeMetadata } from './blobContent.ts';
import { idIn, uriOf } from './blobNames.ts';
import { readJson } from './jsonText.ts';

interface KeptValue {
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
  const entries = new Map<string, KeptValue>();
  let length = 0;
  const remove = (name: string): void => {
    length -= entries.get(name)?.json.length ?? 0;
    entries.delete(name);
  };
  const find = (name: string): KeptValue | undefined => {
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

interface KeptRow {
  value: string | undefined;
  readonly appended: string[];
}

/** A database that goes with the process: for tests, and for who wants nothing kept. */
export function createInMemoryRows(): RowStore {
  const scopes = new Map<string, Map<string, KeptRow>>();
  const entriesOf = (scope: string): Map<string, KeptRow> => {
    const entries = scopes.get(scope) ?? new Map<string, KeptRow>();
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

interface KeptBlob {
  readonly data: Uint8Array;
  readonly metadata: string;
}

/** Blobs that go with the process. */
export function createInMemoryBlobs(): BlobBackend {
  const scopes = new Map<string, Map<string, KeptBlob>>();
  return {
    forScope(scope) {
      const entries = scopes.get(scope) ?? new Map<string, KeptBlob>();
      scopes.set(scope, entries);
      return createBlobs(entries);
    },
  };
}

function createBlobs(entries: Map<string, KeptBlob>): BlobStore {
  const find = (reference: string): KeptBlob | undefined => entries.get(idIn(reference) ?? '');
  return Object.freeze<BlobStore>({
    async store(data, metadata) {
      const id = randomUUID();
      const entry = { data: toBytes(data, usualMaxBlobBytes), metadata: writeMetadata(metadata) };
      entries.set(id, entry);
      return await Promise.resolve(referenceOf(id, entry));
    },
    async retrieve(reference) {
      const entry = find(reference);
      const copy = entry && { data: Uint8Array.from(entry.data), metadata: metadataOf(entry) };
      return await Promise.resolve(copy);
    },
    exists: async (reference) => await Promise.resolve(find(reference) !== undefined),
    async delete(reference) {
      await Promise.resolve(entries.delete(idIn(reference) ?? ''));
    },
    async listBlobs() {
      return await Promise.resolve([...entries].map(([id, entry]) => referenceOf(id, entry)));
    },
    isConnected: () => true,
    getStoreType: () => 'in-memory',
  });
}

function referenceOf(id: string, entry: KeptBlob): BlobReference {
  return { id, uri: uriOf(id), size: entry.data.length, metadata: metadataOf(entry) };
}

function metadataOf({ metadata }: KeptBlob): BlobMetadata {
  return readJson('metadata', metadata) as BlobMetadata;
}
