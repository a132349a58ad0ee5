/** Where one kind of storage lies. Addresses may hold passwords: they are never shown or logged. */
export type DatabaseConfig =
  | { readonly type: 'in-memory' }
  | { readonly type: 'sqlite'; readonly path?: string }
  | { readonly type: 'postgres'; readonly url: string; readonly maxConnections?: number };
export type CacheConfig = { readonly type: 'in-memory' } | { readonly type: 'redis'; readonly url: string };
export type BlobConfig =
  | { readonly type: 'in-memory' }
  | { readonly type: 'local'; readonly storePath?: string; readonly maxBlobSize?: number };

/** `storage` of an agent file, with every default: a SQLite file, a cache in memory, blobs in files. */
export interface StorageConfig {
  readonly database: DatabaseConfig;
  readonly cache: CacheConfig;
  readonly blob: BlobConfig;
}
