import { createHash } from 'node:crypto';

/** 16 hexadecimal digits that differ where a part differs; no part can be read from it. */
export function fingerprint(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
