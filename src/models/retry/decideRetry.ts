/** How a failed try went; `attempt` counts the tries so far, from 1. */
interface FailedTry {
  readonly code: string;
  readonly attempt: number;
  /** What the server asked for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** 0 to 1: spreads the tries of many clients. */
  readonly random: number;
}

type RetryDecision =
  | { readonly kind: 'retry'; readonly waitMs: number }
  | { readonly kind: 'fail' }
  /** The server wants a longer pause than anybody waits for in front of a chat. */
  | { readonly kind: 'fail-until'; readonly waitMs: number };

/** Tries of one answer, the first included. */
const maxAttempts = 4;

/** Longest pause that a server may ask for, in milliseconds. */
const maxRetryAfterMs = 60_000;

const baseDelayMs = 500;
const maxDelayMs = 30_000;

/** Failures that another try may cure. */
const passing: ReadonlySet<string> = new Set([
  'model_rate_limited',
  'model_unavailable',
  'model_offline',
  'model_timeout',
]);

/**
 * Whether to ask again after a failure of which nothing was shown yet, and when: doubling pauses with full jitter (half a
 * second, cap half a minute), or exactly what the server asked for. Pure.
 */
export function decideRetry({ code, attempt, retryAfterMs, random }: FailedTry): RetryDecision {
  const mayWait = code === 'model_rate_limited' || code === 'model_quota' || code === 'model_unavailable';
  if (mayWait && retryAfterMs !== undefined && retryAfterMs > maxRetryAfterMs)
    return { kind: 'fail-until', waitMs: retryAfterMs };
  if (!passing.has(code) || attempt >= maxAttempts) return { kind: 'fail' };
  const backOffMs = Math.round(random * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1)));
  return { kind: 'retry', waitMs: retryAfterMs ?? backOffMs };
}
