import { estimateTokens } from '../markdown/tokens.ts';

export interface BatchLimits {
  readonly maxTexts: number;
  /** Estimated; a text above it is a batch of its own. */
  readonly maxTokens: number;
}

/** The items in their order, in groups that each fit into one request; taken from the source when they are asked for. */
export function* planBatches<T>(
  items: Iterable<T>,
  textOf: (item: T) => string,
  limits: BatchLimits,
): Generator<readonly T[]> {
  let open: T[] = [];
  let tokens = 0;
  for (const item of items) {
    const cost = estimateTokens(textOf(item));
    if (open.length > 0 && (open.length >= limits.maxTexts || tokens + cost > limits.maxTokens)) {
      yield open;
      open = [];
      tokens = 0;
    }
    open.push(item);
    tokens += cost;
  }
  if (open.length > 0) yield open;
}
