import { isWholeCount } from './correctEstimate.ts';
import { formatTokens } from './describeUse.ts';

/** Below this an estimate may be far off by itself. */
const leastTokens = 2_000;

/**
 * What people should know where a server has read much less than it was sent: local servers cut a long request in silence, and
 * the model forgets its tools. Undefined where it read all of it, or did not count. Pure.
 */
export function describeSilentCut(
  modelName: string,
  estimated: number,
  counted: number | undefined,
): string | undefined {
  if (counted === undefined || counted === 0) return undefined;
  if (estimated < leastTokens || isWholeCount(counted, estimated)) return undefined;
  return (
    `${modelName} says that it read ${formatTokens(counted)} of about ${formatTokens(estimated)} tokens. ` +
    "Its server may cut long requests: raise the server's context length, or lower contextWindow of the model in your config."
  );
}
