/** Works on many conversations at a time, and on the messages of one in their order. */
interface Lanes {
  /** Does the work once all that came before it in its lane has ended, however that ended. */
  run<T>(lane: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when those that are here now have ended. Never rejects. */
  settled(): Promise<void>;
}

export function createLanes(): Lanes {
  /** By lane: its last work, and how many have not ended. */
  const lanes = new Map<string, { readonly last: Promise<unknown>; readonly open: number }>();
  const close = (lane: string): void => {
    const now = lanes.get(lane);
    if (now === undefined) return;
    if (now.open === 1) lanes.delete(lane);
    else lanes.set(lane, { ...now, open: now.open - 1 });
  };
  return {
    run(lane, work) {
      const { last, open } = lanes.get(lane) ?? { last: Promise.resolve(), open: 0 };
      const done = last.then(work);
      const ended = done.then(
        () => close(lane),
        () => close(lane),
      );
      lanes.set(lane, { last: ended, open: open + 1 });
      return done;
    },
    async settled() {
      await Promise.all([...lanes.values()].map(({ last }) => last));
    },
  };
}
