/** Runs one work after the other. Rejects as the work does. */
export type InTurn = (work: () => Promise<void>) => Promise<void>;

/** Questions of a terminal share one: two at the same time would read the same line, and a yes to one be a yes to all. */
export function createInTurn(): InTurn {
  let last = Promise.resolve();
  return async (work) => {
    const step = last.then(work);
    last = step.catch(() => undefined);
    await step;
  };
}
