/** Does one work after the other; a newer one aborts the signal of all before it, so that they can end early. */
export interface SupersedingQueue {
  /** Work that has not begun is handed an aborted signal, too. One that fails keeps no other from its turn. */
  run(work: (superseded: AbortSignal) => void | Promise<void>): Promise<void>;
  /** Aborts the signal of all work so far. */
  supersede(): void;
  /** Resolves when what was there when it was called is done. Never rejects. */
  settled(): Promise<void>;
}

export function createSupersedingQueue(): SupersedingQueue {
  let newest = new AbortController();
  let last: Promise<void> = Promise.resolve();
  return {
    async run(work) {
      newest.abort();
      newest = new AbortController();
      const { signal } = newest;
      const done = last.then(() => work(signal));
      last = done.catch(() => undefined);
      await done;
    },
    supersede: () => newest.abort(),
    settled: () => last,
  };
}
