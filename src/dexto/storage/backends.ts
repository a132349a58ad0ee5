import type { BlobStore } from '../dextoTypes.ts';

/**
 * What keeps the values of a database: JSON texts by scope and key. A scope is one tenant's (`scopeOf`); scopes, keys and texts
 * were checked before they come here. Each write is atomic, over all processes that share the backend. What lies at a key is one
 * text or a list; of the text of a JSON list and a list made by `append` nobody can tell which it is.
 */
export interface RowStore {
  /** Upstream's name of it, such as `postgres`. */
  readonly type: string;
  isConnected(): boolean;
  get(scope: string, key: string): Promise<string | undefined>;
  set(scope: string, key: string, json: string): Promise<void>;
  delete(scope: string, key: string): Promise<void>;
  /** Keys that begin with a prefix, each once, in any order. */
  keys(scope: string, prefix: string): Promise<string[]>;
  /** @throws PincerError `storage_not_a_list` */
  append(scope: string, key: string, json: string): Promise<void>;
  /** JSON texts of items. @throws PincerError `storage_not_a_list` */
  range(scope: string, key: string, start: number, count: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** What keeps the values of a cache. */
export interface ValueStore {
  readonly type: string;
  isConnected(): boolean;
  get(scope: string, key: string): Promise<string | undefined>;
  /** Without `ttlMs` it stays while there is room. */
  set(scope: string, key: string, json: string, ttlMs: number | undefined): Promise<void>;
  delete(scope: string, key: string): Promise<void>;
  close(): Promise<void>;
}

export interface BlobBackend {
  forScope(scope: string): BlobStore;
}
