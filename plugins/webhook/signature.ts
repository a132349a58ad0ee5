// Threat: whoever can reach the gateway sends what they like, also what they have seen somebody else send. So a request counts only with a
// signature over its time, its nonce and every byte of it; one that is old, or was there before, does not count.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Headers of both directions, in lower case. */
export const headers = {
  timestamp: 'x-webhook-timestamp',
  nonce: 'x-webhook-nonce',
  signature: 'x-webhook-signature',
} as const;

export const windowMs = 5 * 60_000;
const maxNonces = 10_000;

export type Verdict = 'ok' | 'unsigned' | 'late' | 'forged' | 'replayed' | 'busy';

export interface SignedRequest {
  readonly timestamp: string | undefined;
  readonly nonce: string | undefined;
  readonly signature: string | undefined;
  readonly body: Uint8Array;
}

/** `sha256=` and the HMAC over timestamp, nonce and body. Pure. */
export function sign(secret: string, timestamp: string, nonce: string, body: Uint8Array): string {
  const mac = createHmac('sha256', secret).update(`${timestamp}.${nonce}.`).update(body);
  return `sha256=${mac.digest('hex')}`;
}

/** Judges requests of one account; a nonce counts once. */
export function createVerifier(secret: string, now: () => number): (request: SignedRequest) => Verdict {
  const seen = new Map<string, number>();
  return ({ timestamp, nonce, signature, body }) => {
    if (timestamp === undefined || nonce === undefined || signature === undefined) return 'unsigned';
    if (!/^\d{1,12}$/u.test(timestamp) || !/^[\w-]{8,128}$/u.test(nonce)) return 'unsigned';
    // First of all: what is forged learns nothing of the rest, and no nonce is kept for it.
    if (!equals(signature, sign(secret, timestamp, nonce, body))) return 'forged';
    const at = now();
    if (Math.abs(at - Number(timestamp) * 1_000) > windowMs) return 'late';
    for (const [known, until] of seen) {
      if (until > at) break;
      seen.delete(known);
    }
    if (seen.has(nonce)) return 'replayed';
    // A nonce must not be forgotten while its request would still count.
    if (seen.size >= maxNonces) return 'busy';
    seen.set(nonce, at + 2 * windowMs);
    return 'ok';
  };
}

/** In a time that tells nothing of where they differ. */
function equals(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
