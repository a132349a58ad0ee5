import { throwIfAborted } from '../../base/abort.ts';

export interface BatchPace {
  readonly signal: AbortSignal;
  /** Resolves when the next batch may start. */
  readonly breathe: () => Promise<void>;
}

/** How many requests the file system gets at once: more than it serves at a time, so that none of its threads waits. */
const batchSize = 64;

/**
 * Maps all items, some at once, in their order.
 * @throws PincerError `cancelled`, and whatever `work` rejects with
 */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  { signal, breathe }: BatchPace,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += batchSize) {
    throwIfAborted(signal);
    results.push(...(await Promise.all(items.slice(at, at + batchSize).map(work))));
    await breathe();
  }
  return results;
}
