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
  /** Looks up and deletes. */
  consume(key: string): Promise<T | undefined>;
  delete(key: string): Promise<boolean>;
  /** Oldest first. */
  entries(): Promise<readonly StoreEntry<T>[]>;
  count(): Promise<number>;
  clear(): Promise<void>;
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
