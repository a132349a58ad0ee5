import { createHash } from 'node:crypto';
import { stableStringify } from '../base/json.ts';
import type { Params } from '../contracts/jsonTypes.ts';

/**
 * SHA-256, as hex, over a tool's name and its final parameters; the order of keys makes no difference. An approval is
 * bound to it, so that what runs is what was approved.
 */
export function callHash(toolName: string, params: Params): string {
  return createHash('sha256')
    .update(stableStringify([toolName, params]))
    .digest('hex');
}
