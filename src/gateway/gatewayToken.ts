// Threat: whoever has the token has the agent, its tools and its models. So it can't be guessed, and it lies where keys lie: VS Code's
// secret storage, or the environment of the command line. No file, log or list of processes holds it.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Secrets } from '../host/ports.ts';
import { tokenMissing, tokenWeak } from './gatewayErrors.ts';

const secretName = 'gateway.token';
const tokenBytes = 32;
/** 32 bytes as base64url; as hex they are longer. */
const minChars = 43;

/** The token of the secret storage; made at the first call. */
export async function storedToken(secrets: Pick<Secrets, 'get' | 'set'>): Promise<string> {
  const stored = await secrets.get(secretName);
  if (stored !== undefined && stored.length >= minChars) return stored;
  const made = randomBytes(tokenBytes).toString('base64url');
  await secrets.set(secretName, made);
  return made;
}

/** The token of the environment. @throws PincerError `gateway_token_missing`, `gateway_token_weak` */
export function environmentToken(env: Readonly<Record<string, string | undefined>>): string {
  const token = env['PINCER_GATEWAY_TOKEN'];
  if (token === undefined || token === '') throw tokenMissing();
  if (token.length < minChars) throw tokenWeak();
  return token;
}

/** A key by which this run of a gateway proves that it is the one whose port stands beside the key, in a private file. */
export const makeProofKey = (): string => randomBytes(tokenBytes).toString('base64url');

/** What only the owner of the key can answer to a challenge. */
export function proofOf(key: string, challenge: string): string {
  return createHmac('sha256', key).update(challenge).digest('base64url');
}

/** What is compared: of one length whatever was presented. */
export function digestOf(token: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(token).digest());
}
