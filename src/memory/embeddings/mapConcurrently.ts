/** Calls `work` for each item, at most `limit` at a time; results in the order of the items. The first failure ends it. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Array<R>(items.length);
  const queue = items.entries();
  let failed = false;
  const lane = async (): Promise<void> => {
    for (const [place, item] of queue) {
      if (failed) return;
      results[place] = await work(item);
    }
  };
  const lanes = Array.from({ length: Math.min(limit, items.length) }, async () => {
    try {
      await lane();
    } catch (error) {
      failed = true;
      throw error;
    }
  });
  await Promise.all(lanes);
  return results;
}
