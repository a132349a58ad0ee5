// Threat: a program of this machine passes for the page, or asks so often that somebody allows it to have peace. A person compares a
// code; one browser asks at a time, and after a no nobody asks for a while. What a browser gets is a token of its own, with fewer rights
// than the gateway's, which ends with the gateway or as soon as the person takes it back.
import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { digestOf } from '../gatewayToken.ts';
import type { Scope } from '../rpc/frames.ts';

/** The browsers that a person has let in, and the one that asks. */
interface Pairings {
  /** The code to be compared; undefined where none may ask now. */
  begin(): string | undefined;
  /** When to ask again where none may ask now. Milliseconds. */
  waitMs(): number;
  /** The person has answered, or the browser has left. Gives the token of a yes, by which the browser is known from then on. */
  end(browser: number, isAllowed: boolean): string | undefined;
  /** Whose token it is. */
  browserOf(token: string): number | undefined;
  revoke(browser: number): void;
}

/** What a page may do: nothing that lasts longer than its own conversation. */
export const pageScopes: readonly Scope[] = ['operator.read', 'operator.write', 'operator.approvals'];

/** How long nobody may ask after a no. */
const pauseMs = 15_000;
/** How soon to look whether another browser was answered. */
const pollIntervalMs = 5_000;

/** `now` in milliseconds. */
export function createPairings(now: () => number): Pairings {
  let known: readonly { readonly browser: number; readonly digest: Uint8Array }[] = [];
  let isAsking = false;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  return {
    begin() {
      if (isAsking || now() < pausedUntil) return undefined;
      isAsking = true;
      return String(randomInt(1_000_000)).padStart(6, '0');
    },
    waitMs: () => (isAsking ? pollIntervalMs : Math.max(0, Math.ceil(pausedUntil - now()))),
    end(browser, isAllowed) {
      isAsking = false;
      if (!isAllowed) {
        pausedUntil = now() + pauseMs;
        return undefined;
      }
      const token = randomBytes(32).toString('base64url');
      known = [...known, { browser, digest: digestOf(token) }];
      return token;
    },
    browserOf(token) {
      const digest = digestOf(token);
      // All of them, so that the time tells nothing.
      const [own] = known.filter((each) => timingSafeEqual(each.digest, digest));
      return own?.browser;
    },
    revoke(browser) {
      known = known.filter((each) => each.browser !== browser);
    },
  };
}
