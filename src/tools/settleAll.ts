/** So many at a time: the machine's own threads are few, and each holds a file open. */
const atOnce = 16;

/**
 * Works on all items, some at a time, and gives the results in order. Starts nothing more after a failure, and rejects with the
 * first one once nothing is under way any more, so that its caller can clean up.
 */
export async function settleAll<Item, Result>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (failures.length === 0 && next < items.length) {
      const at = next;
      next += 1;
      try {
        results[at] = await work(items[at] as Item, at);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}
