// Threat: whoever knows the address of a channel's own server sends bodies without end, slowly, or guesses secrets. So a body has a limit of
// bytes and of time, wrong signatures are counted by address, and secrets are compared in constant time. Behind a proxy of this machine all
// have its address: to lock that out would let any stranger cut the true sender off.
import { createHash, timingSafeEqual } from 'node:crypto';
import { pruneMapToMaxSize } from './queues.ts';

/** How many requests an address may send where a channel says nothing. */
export const WEBHOOK_RATE_LIMIT_DEFAULTS = {
  windowMs: 60_000,
  maxRequests: 120,
  maxTrackedKeys: 4_096,
} as const;

export interface AuthRateLimit {
  readonly allowed: boolean;
  /** How many more failures there may be. */
  readonly remaining: number;
  /** Until when it is locked out; 0 where it is not. */
  readonly retryAfterMs: number;
}

export interface AuthRateLimiter {
  check(address: string | undefined, scope?: string): AuthRateLimit;
  recordFailure(address: string | undefined, scope?: string): void;
  reset(address: string | undefined, scope?: string): void;
  size(): number;
  dispose(): void;
}

export interface AuthRateLimitOptions {
  readonly maxAttempts?: number;
  readonly windowMs?: number;
  readonly lockoutMs?: number;
  /** False locks this machine out as any other address. Default true. */
  readonly exemptLoopback?: boolean;
}

/** Locks an address out that has failed too often in a time; whoever has no address counts as one. */
export function createAuthRateLimiter(options: AuthRateLimitOptions = {}): AuthRateLimiter {
  const { maxAttempts = 10, windowMs = 60_000, lockoutMs = 300_000, exemptLoopback = true } = options;
  const isExempt = (address = ''): boolean => exemptLoopback && /^(?:::1$|(?:::ffff:)?127\.)/iu.test(address);
  const known = new Map<string, { readonly failures: readonly number[]; readonly lockedUntil: number }>();
  const keyOf = (address = '', scope = ''): string => JSON.stringify([scope, address]);
  const stateOf = (key: string, now: number): { failures: readonly number[]; lockedUntil: number } => {
    const { failures = [], lockedUntil = 0 } = known.get(key) ?? {};
    return { failures: failures.filter((at) => now - at < windowMs), lockedUntil };
  };
  return {
    check(address, scope) {
      if (isExempt(address)) return { allowed: true, remaining: maxAttempts, retryAfterMs: 0 };
      const now = Date.now();
      const { failures, lockedUntil } = stateOf(keyOf(address, scope), now);
      const retryAfterMs = Math.max(0, lockedUntil - now);
      const remaining = retryAfterMs > 0 ? 0 : Math.max(0, maxAttempts - failures.length);
      return { allowed: remaining > 0, remaining, retryAfterMs };
    },
    recordFailure(address, scope) {
      if (isExempt(address)) return;
      const now = Date.now();
      const key = keyOf(address, scope);
      const { failures, lockedUntil } = stateOf(key, now);
      const all = [...failures, now];
      const isTooMany = all.length >= maxAttempts;
      known.delete(key);
      known.set(key, {
        failures: isTooMany ? [] : all,
        lockedUntil: isTooMany ? now + lockoutMs : lockedUntil,
      });
      pruneMapToMaxSize(known, WEBHOOK_RATE_LIMIT_DEFAULTS.maxTrackedKeys);
    },
    reset: (address, scope) => void known.delete(keyOf(address, scope)),
    size: () => known.size,
    dispose: () => known.clear(),
  };
}

/** What is read of Node's `IncomingMessage`. */
export interface WebhookRequest {
  readonly socket: { readonly remoteAddress?: string | undefined };
  on(event: 'data', listener: (part: Uint8Array) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  off(event: 'data', listener: (part: Uint8Array) => void): unknown;
  off(event: 'end' | 'close', listener: () => void): unknown;
  pause(): unknown;
  destroy(): unknown;
}

/** What is used of Node's `ServerResponse`. */
export interface WebhookResponse {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  end(body: string, done: () => void): unknown;
}

export type RequestBodyLimitCode = 'PAYLOAD_TOO_LARGE' | 'REQUEST_BODY_TIMEOUT' | 'CONNECTION_CLOSED';

/** Why a body was not read to its end. */
export class RequestBodyLimitError extends Error {
  override readonly name = 'RequestBodyLimitError';
  readonly code: RequestBodyLimitCode;

  constructor({ code, message = code }: { readonly code: RequestBodyLimitCode; readonly message?: string }) {
    super(message);
    this.code = code;
  }
}

/** Whether a body was not read to its end, for this reason or for any. */
export function isRequestBodyLimitError(
  error: unknown,
  code?: RequestBodyLimitCode,
): error is RequestBodyLimitError {
  return error instanceof RequestBodyLimitError && (code === undefined || error.code === code);
}

/**
 * The body of a request as text; no more than the limit is ever held.
 * @throws RequestBodyLimitError; the request is ended then, unless `destroyOnLimit` is false: it can be answered
 */
export async function readRequestBodyWithLimit(
  request: WebhookRequest,
  options: { readonly maxBytes: number; readonly timeoutMs?: number; readonly destroyOnLimit?: boolean },
): Promise<string> {
  const { maxBytes, timeoutMs = 30_000, destroyOnLimit = true } = options;
  const parts: Uint8Array[] = [];
  let size = 0;
  return await new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      request.off('data', take);
      request.off('end', end);
      request.off('close', close);
    };
    const fail = (code: RequestBodyLimitCode): void => {
      stop();
      request.pause();
      if (destroyOnLimit) request.destroy();
      reject(new RequestBodyLimitError({ code }));
    };
    const take = (part: Uint8Array): void => {
      size += part.byteLength;
      if (size > maxBytes) fail('PAYLOAD_TOO_LARGE');
      else parts.push(part);
    };
    const end = (): void => {
      stop();
      resolve(Buffer.concat(parts).toString('utf8'));
    };
    const close = (): void => fail('CONNECTION_CLOSED');
    const timer = setTimeout(() => fail('REQUEST_BODY_TIMEOUT'), timeoutMs);
    request.on('data', take);
    request.on('end', end);
    request.on('close', close);
  });
}

/** The address that the connection comes from: headers that name another one are forgeable, so no proxy is believed. */
export function resolveRequestClientIp(request?: WebhookRequest, ..._proxies: unknown[]): string | undefined {
  return request?.socket.remoteAddress;
}

/** Answers one request of a connection. */
export async function runHttpConnectionRequest(
  _request: WebhookRequest,
  answer: () => Promise<unknown>,
  _response?: unknown,
): Promise<void> {
  await answer();
}

/** Refuses a request, and ends its connection: what is left of the body is not read. */
export async function sendHttpRequestRejection(
  _request: WebhookRequest,
  response: WebhookResponse,
  status: number,
  body: string,
  contentType = 'text/plain',
): Promise<void> {
  response.writeHead(status, { 'content-type': contentType, connection: 'close' });
  await new Promise<void>((resolve) => {
    response.end(body, resolve);
  });
}

/** Whether two secrets are the same, in a time that says nothing of where they differ. */
export function safeEqualSecret(one: string | null | undefined, other: string | null | undefined): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
