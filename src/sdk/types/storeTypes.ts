export interface OpenKeyedStoreOptions {
  readonly namespace: string;
  /** Not of a `retained` store, which refuses new entries when it is full. */
  readonly maxEntries?: number;
  readonly retention?: 'bounded' | 'retained';
  /** Default `evict-oldest`. */
  readonly overflowPolicy?: 'evict-oldest' | 'reject-new';
  readonly defaultTtlMs?: number;
}

export interface StoreEntry<T> {
  readonly key: string;
  readonly value: T;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt?: number;
}

export interface StoreTtl {
  readonly ttlMs?: number;
}

/** Changes run one after the other. Values are copies. */
export interface PluginKeyedStore<T> {
  register(key: string, value: T, options?: StoreTtl): Promise<void>;
  /** False where the key has a value. */
  registerIfAbsent(key: string, value: T, options?: StoreTtl): Promise<boolean>;
  /** `undefined` leaves the entry as it is; true where it was changed. */
  update(
    key: string,
    change: (current: T | undefined) => T | undefined,
    options?: StoreTtl,
  ): Promise<boolean>;
  deleteIf(key: string, matches: (current: T) => boolean): Promise<boolean>;
  deleteIfEqual(key: string, expected: string | number | boolean | null): Promise<boolean>;
  lookup(key: string): Promise<T | undefined>;
  /** One answer for each of at most 10,000 keys. */
  lookupMany(keys: readonly string[]): Promise<readonly StoreAnswer<T>[]>;
  observe(key: string): Promise<StoreObservation<T>>;
  /** Sets, keeps or deletes, as long as what was observed still holds. */
  compareAndApply(key: string, comparison: string, intent: StoreIntent<T>): Promise<StoreComparison<T>>;
  /** Looks up and deletes. */
  consume(key: string): Promise<T | undefined>;
  delete(key: string): Promise<boolean>;
  /** Oldest first. */
  entries(): Promise<readonly StoreEntry<T>[]>;
  count(): Promise<number>;
  clear(): Promise<void>;
}

export type StoreAnswer<T> =
  { readonly ok: true; readonly value: T | undefined } | { readonly ok: false; readonly error: Error };

/** `comparison` stands for the value and its times; it is no value of its own. */
export interface StoreObservation<T> {
  readonly value: T | undefined;
  readonly comparison: string;
}

export type StoreIntent<T> =
  | {
      readonly operation: 'update';
      readonly action: 'set';
      readonly value: T;
      readonly ttlMs?: number;
    }
  | { readonly operation: 'update' | 'delete'; readonly action: 'keep' }
  | { readonly operation: 'delete'; readonly action: 'delete' };

export type StoreComparison<T> =
  | { readonly status: 'applied' | 'unchanged' }
  | { readonly status: 'conflict'; readonly current: StoreObservation<T> };

/** The same store for code that can't wait; everything else waits for the disk meanwhile. */
export interface PluginSyncKeyedStore<T> {
  register(key: string, value: T, options?: StoreTtl): void;
  registerIfAbsent(key: string, value: T, options?: StoreTtl): boolean;
  update(key: string, change: (current: T | undefined) => T | undefined, options?: StoreTtl): boolean;
  deleteIf(key: string, matches: (current: T) => boolean): boolean;
  lookup(key: string): T | undefined;
  lookupMany(keys: readonly string[]): readonly StoreAnswer<T>[];
  consume(key: string): T | undefined;
  delete(key: string): boolean;
  entries(): readonly StoreEntry<T>[];
  count(): number;
  clear(): void;
}

export interface OpenBlobStoreOptions {
  readonly namespace: string;
  readonly maxEntries: number;
  readonly maxBytesPerEntry: number;
  readonly maxBytesPerNamespace: number;
  /** Default `evict-oldest`. */
  readonly overflowPolicy?: 'evict-oldest' | 'reject-new';
  readonly defaultTtlMs?: number;
}

export interface BlobInfo<M> {
  readonly key: string;
  readonly metadata: M;
  readonly sizeBytes: number;
  readonly createdAt: number;
  readonly expiresAt?: number;
}

export interface PluginBlobStore<M> {
  register(key: string, bytes: Uint8Array, metadata: M, options?: StoreTtl): Promise<void>;
  registerIfAbsent(key: string, bytes: Uint8Array, metadata: M, options?: StoreTtl): Promise<boolean>;
  lookup(key: string): Promise<(BlobInfo<M> & { readonly bytes: Uint8Array }) | undefined>;
  entries(): Promise<readonly BlobInfo<M>[]>;
  delete(key: string): Promise<boolean>;
  deleteExpiredKey(key: string): Promise<BlobInfo<M> | undefined>;
  deleteExpired(): Promise<readonly BlobInfo<M>[]>;
  clear(): Promise<void>;
}
