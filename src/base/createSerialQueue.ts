/** Does one work at a time, in the order in which they came. One that fails keeps no other from its turn: its caller alone hears of it. */
export type SerialQueue = <T>(work: () => T | Promise<T>) => Promise<T>;

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
