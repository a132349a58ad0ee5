/** Runs tasks of one key one after the other, those of others beside them. */
export class KeyedAsyncQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** @throws what the task throws; the next one of the key runs all the same */
  async enqueue<T>(key: string, task: () => Promise<T> | T): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const run = before.then(task, task);
    this.#tails.set(key, run);
    try {
      return await run;
    } finally {
      if (this.#tails.get(key) === run) this.#tails.delete(key);
    }
  }
}

/** Runs tasks one after the other. */
export function createAsyncLock(): <T>(task: () => Promise<T> | T) => Promise<T> {
  const queue = new KeyedAsyncQueue();
  return (task) => queue.enqueue('', task);
}

/** Takes the oldest entries out until `maxSize` are left. */
export function pruneMapToMaxSize(map: Map<unknown, unknown>, maxSize: number): void {
  for (const key of map.keys()) {
    if (map.size <= Math.max(0, Math.floor(maxSize))) return;
    map.delete(key);
  }
}

/** Knows what it has seen, for a time and up to a number. */
export interface DedupeCache {
  /** True where it was seen; else it is from now on. */
  check(key: string | null | undefined, now?: number): boolean;
  peek(key: string | null | undefined, now?: number): boolean;
  delete(key: string | null | undefined): void;
  clear(): void;
  size(): number;
}

/** `ttlMs` 0 forgets nothing by time; `maxSize` 0 keeps nothing. */
export function createDedupeCache(options: {
  readonly ttlMs: number;
  readonly maxSize: number;
}): DedupeCache {
  const { ttlMs, maxSize } = options;
  const seen = new Map<string, number>();
  const peek = (key: string, now: number): boolean => {
    const at = seen.get(key);
    return at !== undefined && (ttlMs <= 0 || now - at < ttlMs);
  };
  return {
    check(key, now = Date.now()) {
      if (key === null || key === undefined || key === '') return false;
      const isKnown = peek(key, now);
      // Again at the end: what is seen often is not forgotten first.
      seen.delete(key);
      seen.set(key, now);
      pruneMapToMaxSize(seen, maxSize);
      return isKnown;
    },
    peek: (key, now = Date.now()) => key !== null && key !== undefined && peek(key, now),
    delete(key) {
      if (key !== null && key !== undefined) seen.delete(key);
    },
    clear: () => seen.clear(),
    size: () => seen.size,
  };
}

/** Counts requests of each key in windows of time. */
export function createFixedWindowRateLimiter(options: {
  readonly windowMs: number;
  readonly maxRequests: number;
  readonly maxTrackedKeys: number;
}): {
  isRateLimited(key: string, now?: number): boolean;
  size(): number;
  clear(): void;
} {
  const { windowMs, maxRequests, maxTrackedKeys } = options;
  const windows = new Map<string, { readonly start: number; readonly count: number }>();
  return {
    isRateLimited(key, now = Date.now()) {
      if (key === '') return false;
      const known = windows.get(key);
      const isOpen = known !== undefined && now - known.start < windowMs;
      const next = isOpen ? { start: known.start, count: known.count + 1 } : { start: now, count: 1 };
      windows.delete(key);
      windows.set(key, next);
      pruneMapToMaxSize(windows, maxTrackedKeys);
      return next.count > maxRequests;
    },
    size: () => windows.size,
    clear: () => windows.clear(),
  };
}

/** Limits how many requests of one key are served at one time. */
export function createWebhookInFlightLimiter(
  options: { readonly maxInFlightPerKey?: number; readonly maxTrackedKeys?: number } = {},
): {
  tryAcquire(key: string): boolean;
  release(key: string): void;
  size(): number;
  clear(): void;
} {
  const { maxInFlightPerKey = 8, maxTrackedKeys = 4096 } = options;
  const running = new Map<string, number>();
  return {
    tryAcquire(key) {
      if (key === '') return true;
      const count = running.get(key) ?? 0;
      if (count >= maxInFlightPerKey || (count === 0 && running.size >= maxTrackedKeys)) return false;
      running.set(key, count + 1);
      return true;
    },
    release(key) {
      const count = running.get(key) ?? 0;
      if (count > 1) running.set(key, count - 1);
      else running.delete(key);
    },
    size: () => running.size,
    clear: () => running.clear(),
  };
}

/** The name of the store that a channel remembers messages in. */
export function resolvePersistentDedupePluginStateNamespace(params: {
  readonly namespace: string;
  readonly namespacePrefix: string;
}): string {
  return `${params.namespacePrefix}.${params.namespace}`;
}
