/** Works on many conversations at a time, and on the messages of one in their order. */
interface KeyedQueue {
  /** Does the work once all that came before it under its key has ended, however that ended. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when those that are here now have ended. Never rejects. */
  settled(): Promise<void>;
}

export function createKeyedQueue(): KeyedQueue {
  /** By key: its last work, and how many have not ended. */
  const queues = new Map<string, { readonly last: Promise<unknown>; readonly open: number }>();
  const close = (key: string): void => {
    const now = queues.get(key);
    if (now === undefined) return;
    if (now.open === 1) queues.delete(key);
    else queues.set(key, { ...now, open: now.open - 1 });
  };
  return {
    run(key, work) {
      const { last, open } = queues.get(key) ?? { last: Promise.resolve(), open: 0 };
      const done = last.then(work);
      const ended = done.then(
        () => close(key),
        () => close(key),
      );
      queues.set(key, { last: ended, open: open + 1 });
      return done;
    },
    async settled() {
      await Promise.all([...queues.values()].map(({ last }) => last));
    },
  };
}
