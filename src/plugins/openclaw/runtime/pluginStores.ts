// Threat: a plugin names keys and namespaces, and fills stores as long as it runs. Names never become paths, and sizes are bounded.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PincerError } from '../../../base/errors.ts';
import { isJsonValue, isRecord } from '../../../base/json.ts';
import type { Clock } from '../../../host/ports.ts';
import type {
  BlobInfo,
  PluginBlobStore,
  PluginKeyedStore,
  PluginSyncKeyedStore,
  StoreTtl,
} from '../../../sdk/types.ts';
import { createEntryFile, invalid, type Entries, type Entry, type EntryFile } from './createEntryFile.ts';

interface StoreParts {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly assertLoaded: (method: string) => void;
}

const maxEntries = 50_000;
const maxKeyChars = 512;
/** Of one `lookupMany`; upstream's number. */
const maxKeys = 10_000;
const maxValueBytes = 64 * 1024;
const maxBlobBytes = 256 * 1024 * 1024;

/** `api.runtime.state.openKeyedStore` and `openBlobStore`: what a plugin keeps of its own, over restarts. */
export function storeMembers(parts: StoreParts): Readonly<Record<string, unknown>> {
  const files = new Map<string, EntryFile>();
  /** One of each namespace: two handles of it must not overtake each other. */
  const fileOf = (kind: string, namespace: unknown): EntryFile => {
    const name = `${kind}-${hashOf(textOf(namespace, 'namespace'))}`;
    const known =
      files.get(name) ?? createEntryFile(join(parts.stateDir, 'stores', `${name}.json`), parts.clock);
    files.set(name, known);
    return known;
  };
  return {
    openKeyedStore(given: unknown) {
      parts.assertLoaded('runtime.state.openKeyedStore');
      const options = isRecord(given) ? given : {};
      return createKeyedStore(fileOf('keyed', options['namespace']), limitsOf(options), parts);
    },
    openSyncKeyedStore(given: unknown) {
      parts.assertLoaded('runtime.state.openSyncKeyedStore');
      const options = isRecord(given) ? given : {};
      return createSyncKeyedStore(fileOf('keyed', options['namespace']), limitsOf(options), parts);
    },
    openBlobStore(given: unknown) {
      parts.assertLoaded('runtime.state.openBlobStore');
      const options = isRecord(given) ? given : {};
      const file = fileOf('blobs', options['namespace']);
      const folder = join(parts.stateDir, 'stores', `blobs-${hashOf(String(options['namespace']))}`);
      return createBlobStore(file, folder, blobLimitsOf(options), parts);
    },
  };
}

interface Limits {
  readonly maxEntries: number;
  readonly evicts: boolean;
  readonly ttlMs?: number;
}

interface BlobLimits extends Limits {
  readonly maxBytesPerEntry: number;
  readonly maxBytesPerNamespace: number;
}

/** One method of a keyed store, on its entries. */
type KeyedOperation = (entries: Entries, ...args: readonly unknown[]) => unknown;

/** `shared`: the methods of both keyed stores; `asyncOnly`: those that upstream's synchronous one lacks. */
function keyedOperations(file: EntryFile, limits: Limits) {
  const put = (entries: Entries, given: unknown, value: unknown, ttl: unknown): void => {
    const key = keyOf(given);
    if (!isJsonValue(value)) throw invalid('the value must be JSON-compatible');
    const size = Buffer.byteLength(JSON.stringify(value));
    if (size > maxValueBytes) throw limitExceeded(`the value is larger than ${String(maxValueBytes)} bytes`);
    const ttlMs = isRecord(ttl) ? (ttl['ttlMs'] ?? limits.ttlMs) : limits.ttlMs;
    makeRoom(entries, key, limits);
    entries.delete(key);
    entries.set(key, file.entry(key, structuredClone(value), ttlMs));
  };
  const valueOf = (entries: Entries, key: unknown): unknown =>
    structuredClone(entries.get(keyOf(key))?.value);
  const remove = (entries: Entries, key: unknown, matches: (current: unknown) => unknown): boolean =>
    entries.has(keyOf(key)) && Boolean(matches(valueOf(entries, key))) && entries.delete(keyOf(key));
  const observe = (entries: Entries, key: unknown) => ({
    value: valueOf(entries, key),
    comparison: hashOf(JSON.stringify(entries.get(keyOf(key)) ?? null)),
  });
  const shared = {
    register: put,
    registerIfAbsent(entries: Entries, key: unknown, value: unknown, ttl: unknown) {
      if (entries.has(keyOf(key))) return false;
      put(entries, key, value, ttl);
      return true;
    },
    update(entries: Entries, key: unknown, next: unknown, ttl: unknown) {
      const value = functionOf(next)(valueOf(entries, key));
      if (value !== undefined) put(entries, key, value, ttl);
      return value !== undefined;
    },
    deleteIf: (entries: Entries, key: unknown, matches: unknown) => remove(entries, key, functionOf(matches)),
    lookup: valueOf,
    lookupMany(entries: Entries, keys: unknown) {
      if (!Array.isArray(keys) || keys.length > maxKeys)
        throw invalid(`keys must be a list of at most ${String(maxKeys)}`);
      return keys.map((key) => {
        try {
          return { ok: true, value: valueOf(entries, key) };
        } catch (error) {
          return { ok: false, error };
        }
      });
    },
    consume(entries: Entries, key: unknown) {
      const value = valueOf(entries, key);
      entries.delete(keyOf(key));
      return value;
    },
    delete: (entries: Entries, key: unknown) => entries.delete(keyOf(key)),
    entries: (entries: Entries) => structuredClone([...entries.values()]),
    count: (entries: Entries) => entries.size,
    clear: (entries: Entries) => entries.clear(),
  } satisfies Readonly<Record<string, KeyedOperation>>;
  const asyncOnly = {
    deleteIfEqual: (entries: Entries, key: unknown, expected: unknown) =>
      remove(entries, key, (current) => current === expected),
    observe,
    /** Data in place of a callback: what was observed must still hold. */
    compareAndApply(entries: Entries, key: unknown, comparison: unknown, intent: unknown) {
      const current = observe(entries, key);
      if (current.comparison !== comparison) return { status: 'conflict', current };
      const { action, value, ttlMs } = isRecord(intent) ? intent : {};
      if (action === 'keep') return { status: 'unchanged' };
      if (action === 'delete') return { status: entries.delete(keyOf(key)) ? 'applied' : 'unchanged' };
      if (action !== 'set') throw invalid('the action must be set, keep or delete');
      put(entries, key, value, { ttlMs });
      return { status: 'applied' };
    },
  } satisfies Readonly<Record<string, KeyedOperation>>;
  return { shared, asyncOnly };
}

function createKeyedStore(
  file: EntryFile,
  limits: Limits,
  { assertLoaded }: StoreParts,
): PluginKeyedStore<unknown> {
  const { shared, asyncOnly } = keyedOperations(file, limits);
  const wrap =
    (operation: KeyedOperation) =>
    (...args: readonly unknown[]) => {
      assertLoaded('the keyed store');
      return file.change((entries) => operation(entries, ...args));
    };
  return withEach({ ...shared, ...asyncOnly }, wrap) as unknown as PluginKeyedStore<unknown>;
}

/** The same store for plugins that can't wait. It holds everything up while the disk reads and writes, as upstream's does. */
function createSyncKeyedStore(
  file: EntryFile,
  limits: Limits,
  { assertLoaded }: StoreParts,
): PluginSyncKeyedStore<unknown> {
  const { shared } = keyedOperations(file, limits);
  const wrap =
    (operation: KeyedOperation) =>
    (...args: readonly unknown[]) => {
      assertLoaded('the keyed store');
      return file.changeSync((entries) => operation(entries, ...args));
    };
  return withEach(shared, wrap) as unknown as PluginSyncKeyedStore<unknown>;
}

function withEach(
  operations: Readonly<Record<string, KeyedOperation>>,
  wrap: (operation: KeyedOperation) => unknown,
): object {
  return Object.fromEntries(Object.entries(operations).map(([name, each]) => [name, wrap(each)]));
}

function createBlobStore(
  file: EntryFile,
  folder: string,
  limits: BlobLimits,
  { assertLoaded }: StoreParts,
): PluginBlobStore<unknown> {
  const pathOf = (key: string): string => join(folder, hashOf(key));
  const change = <T>(work: (entries: Entries) => T | Promise<T>, isSweeping = true): Promise<T> => {
    assertLoaded('the blob store');
    return file.change(async (entries, expired) => {
      if (isSweeping) for (const { key } of expired) await rm(pathOf(key), { force: true });
      const before = [...entries.keys()];
      const result = await work(entries);
      for (const key of before) if (!entries.has(key)) await rm(pathOf(key), { force: true });
      return result;
    });
  };
  const put = async (
    entries: Entries,
    key: string,
    given: unknown,
    metadata: unknown,
    ttl?: StoreTtl,
  ): Promise<void> => {
    if (!(given instanceof Uint8Array)) throw invalid('bytes must be a Uint8Array');
    if (!isJsonValue(metadata)) throw invalid('metadata must be JSON-compatible');
    const bytes = Uint8Array.from(given);
    const { maxBytesPerEntry, maxBytesPerNamespace } = limits;
    if (bytes.byteLength > Math.min(maxBytesPerEntry, maxBytesPerNamespace))
      throw limitExceeded(
        `the blob is larger than ${String(Math.min(maxBytesPerEntry, maxBytesPerNamespace))} bytes`,
      );
    entries.delete(key);
    makeRoom(entries, key, limits);
    while (sizeOf(entries) + bytes.byteLength > maxBytesPerNamespace) evictOldest(entries, limits);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(pathOf(key), bytes, { mode: 0o600 });
    const value = { metadata: structuredClone(metadata), sizeBytes: bytes.byteLength };
    entries.set(key, file.entry(key, value, ttl?.ttlMs ?? limits.ttlMs));
  };
  return {
    register: (key, bytes, metadata, ttl) =>
      change((entries) => put(entries, keyOf(key), bytes, metadata, ttl)),
    registerIfAbsent: (key, bytes, metadata, ttl) =>
      change(async (entries) => {
        if (entries.has(keyOf(key))) return false;
        await put(entries, key, bytes, metadata, ttl);
        return true;
      }),
    lookup: (key) =>
      change(async (entries) => {
        const entry = entries.get(keyOf(key));
        return entry && { ...infoOf(entry), bytes: Uint8Array.from(await readFile(pathOf(key))) };
      }),
    entries: () => change((entries) => [...entries.values()].map(infoOf)),
    delete: (key) => change((entries) => entries.delete(keyOf(key))),
    deleteExpiredKey: async (key) => (await sweep(key)).find((each) => each.key === key),
    deleteExpired: () => sweep(),
    clear: () => change((entries) => entries.clear()),
  };

  /** What has expired goes at every look anyway; this says what did. */
  function sweep(only?: string): Promise<readonly BlobInfo<unknown>[]> {
    assertLoaded('the blob store');
    return file.change(async (_entries, expired) => {
      for (const { key } of expired) await rm(pathOf(key), { force: true });
      return expired.filter(({ key }) => only === undefined || key === only).map(infoOf);
    });
  }
}

function makeRoom(entries: Entries, key: string, limits: Limits): void {
  if (!entries.has(key)) while (entries.size >= limits.maxEntries) evictOldest(entries, limits);
}

function evictOldest(entries: Entries, { evicts }: Limits): void {
  const [oldest] = entries.keys();
  if (!evicts || oldest === undefined) throw limitExceeded('the store is full');
  entries.delete(oldest);
}

function sizeOf(entries: Entries): number {
  return [...entries.values()].reduce((sum, entry) => sum + infoOf(entry).sizeBytes, 0);
}

function infoOf({ value, ...rest }: Entry): BlobInfo<unknown> {
  const { metadata, sizeBytes } = isRecord(value) ? value : {};
  return {
    ...rest,
    metadata: structuredClone(metadata),
    sizeBytes: typeof sizeBytes === 'number' ? sizeBytes : 0,
  };
}

function limitsOf(options: Readonly<Record<string, unknown>>): Limits {
  const { retention, overflowPolicy, defaultTtlMs } = options;
  const isRetained = retention === 'retained';
  if (defaultTtlMs !== undefined && !(Number.isFinite(defaultTtlMs) && Number(defaultTtlMs) > 0))
    throw invalid('defaultTtlMs must be a positive number');
  return {
    maxEntries: isRetained ? maxEntries : countOf(options, 'maxEntries', maxEntries),
    evicts: !isRetained && overflowPolicy !== 'reject-new',
    ...(defaultTtlMs === undefined ? {} : { ttlMs: Number(defaultTtlMs) }),
  };
}

function blobLimitsOf(options: Readonly<Record<string, unknown>>): BlobLimits {
  return {
    ...limitsOf(options),
    maxBytesPerEntry: countOf(options, 'maxBytesPerEntry', maxBlobBytes),
    maxBytesPerNamespace: countOf(options, 'maxBytesPerNamespace', maxBlobBytes),
  };
}

function countOf(options: Readonly<Record<string, unknown>>, name: string, most: number): number {
  const value = options[name];
  if (!Number.isInteger(value) || Number(value) < 1) throw invalid(`${name} must be a positive whole number`);
  return Math.min(Number(value), most);
}

function keyOf(key: unknown): string {
  const text = textOf(key, 'key');
  if (text.length > maxKeyChars) throw invalid(`the key is longer than ${String(maxKeyChars)} characters`);
  return text;
}

function functionOf(value: unknown): (current: unknown) => unknown {
  if (typeof value !== 'function') throw invalid('a function is needed');
  return (current) => Reflect.apply(value, undefined, [current]) as unknown;
}

function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw invalid(`${what} must be a text`);
  return value;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function limitExceeded(why: string): PincerError {
  return new PincerError('PLUGIN_STATE_LIMIT_EXCEEDED', `plugin store: ${why}`);
}
