import { raceAbort } from '../../base/abort.ts';

/**
 * The results of `work` in the order they come, with at most `limit` under way; an item is taken when its turn comes. Where it is
 * left early or fails, the signal of what is under way aborts, and it is waited for.
 *
 * @throws PincerError `cancelled` as soon as the signal aborts; what `work` throws
 */
export async function* resultsAsTheyCome<T, R>(
  items: Iterable<T>,
  limit: number,
  work: (item: T, signal: AbortSignal) => Promise<R>,
  signal: AbortSignal,
): AsyncGenerator<R> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const queue = items[Symbol.iterator]();
  const running = new Map<number, Promise<{ readonly id: number; readonly result: R }>>();
  let started = 0;
  const startNext = (): void => {
    const next = queue.next();
    if (next.done === true) return;
    const id = started;
    started += 1;
    running.set(
      id,
      work(next.value, either).then((result) => ({ id, result })),
    );
  };
  for (let lane = 0; lane < limit; lane += 1) startNext();
  try {
    while (running.size > 0) {
      const { id, result } = await raceAbort(Promise.race(running.values()), signal);
      running.delete(id);
      yield result;
      startNext();
    }
  } finally {
    stop.abort();
    await Promise.allSettled(running.values());
  }
}
