import { isRecord, parseJson } from '../../base/json.ts';

/** The parts of a refusal that can name a time. */
interface RetryHints {
  /** A header of the answer; names are lower case. */
  header(name: string): string | undefined;
  readonly body: string;
}

/** A server that asks for more than a day asks for nothing we can wait for. */
const maxMs = 86_400_000;

/**
 * Milliseconds until the server wants to be asked again: `retry-after-ms`, `retry-after` in seconds or as an HTTP date, or
 * Google's `RetryInfo` in the body. Undefined where it says nothing that can be read. `now` is milliseconds since the epoch.
 */
export function readRetryAfter(hints: RetryHints, now: number): number | undefined {
  return [
    toNumber(hints.header('retry-after-ms')),
    parseRetryAfter(hints.header('retry-after'), now),
    fromBody(hints.body),
  ].find((ms) => ms !== undefined && ms >= 0 && ms <= maxMs);
}

/** Milliseconds in a `Retry-After` header, which holds seconds or an HTTP date; undefined where it says neither. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const seconds = toNumber(value);
  if (seconds !== undefined) return seconds * 1000;
  // Date.parse makes a date of almost anything.
  const at = value !== undefined && /^\s*[A-Za-z]{3,9}, /u.test(value) ? Date.parse(value) : Number.NaN;
  // A date that has passed means now.
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function toNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(?:\.\d+)?\s*$/u.test(value) ? Number(value) : undefined;
}

function fromBody(body: string): number | undefined {
  const json = parseJson(body);
  const error = isRecord(json) ? json['error'] : undefined;
  const details = isRecord(error) && Array.isArray(error['details']) ? error['details'] : [];
  for (const detail of details as unknown[]) {
    const delay = isRecord(detail) ? detail['retryDelay'] : undefined;
    const seconds = typeof delay === 'string' ? toNumber(delay.replace(/s$/u, '')) : undefined;
    if (seconds !== undefined) return seconds * 1000;
  }
  return undefined;
}
