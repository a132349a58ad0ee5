import { estimateTokens } from '../markdown/tokens.ts';

export interface BatchLimits {
  readonly maxTexts: number;
  /** Estimated; a text above it is a batch of its own. */
  readonly maxTokens: number;
}

/** The items in their order, in groups that each fit into one request. */
export function planBatches<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  limits: BatchLimits,
): readonly (readonly T[])[] {
  const batches: T[][] = [];
  let tokens = 0;
  for (const item of items) {
    const cost = estimateTokens(textOf(item));
    const open = batches.at(-1);
    if (open === undefined || open.length >= limits.maxTexts || tokens + cost > limits.maxTokens) {
      batches.push([item]);
      tokens = cost;
    } else {
      open.push(item);
      tokens += cost;
    }
  }
  return batches;
}
