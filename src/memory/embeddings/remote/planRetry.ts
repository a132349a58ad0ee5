/** Milliseconds before the second, third and fourth attempt. */
const delays = [500, 2_000, 8_000];

/** A server that wants more time than this gets no further attempt now: the next pass comes later anyway. Milliseconds. */
const longestWait = 30_000;

export interface RetryQuestion {
  /** Attempts that have failed so far, at least 1. */
  readonly failed: number;
  /** Attempts in all. */
  readonly attempts: number;
  /** Whether another attempt may help at all. */
  readonly canRetry: boolean;
  /** What the server asked for in `Retry-After`. */
  readonly retryAfterMs: number | undefined;
}

/** Milliseconds to wait before the next attempt; undefined where there is none. */
export function planRetry({ failed, attempts, canRetry, retryAfterMs }: RetryQuestion): number | undefined {
  if (!canRetry || failed >= attempts) return undefined;
  if (retryAfterMs !== undefined) return retryAfterMs > longestWait ? undefined : retryAfterMs;
  return delays[Math.min(failed, delays.length) - 1];
}

/** Milliseconds in a `Retry-After` header, which holds seconds or a date; undefined where it says neither. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (text === '') return undefined;
  const ms = /^\d+(?:\.\d+)?$/u.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
