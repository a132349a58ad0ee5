import { raceAbort } from '../base/abort.ts';

/** Turns of one session run one after the other: two at once would mix their messages in its transcript. */
export interface SessionLanes {
  /**
   * Starts a turn once those that began before it in the same session have ended. What a turn waits for must not wait for a turn
   * of the same session. @throws PincerError `cancelled` where the signal aborts while it waits, and what `start` throws
   */
  enter<T extends { readonly outcome: Promise<unknown> }>(
    sessionId: string,
    signal: AbortSignal,
    start: () => Promise<T>,
  ): Promise<T>;
}

export function createSessionLanes(): SessionLanes {
  const lanes = new Map<string, Promise<void>>();
  return {
    async enter(sessionId, signal, start) {
      const before = lanes.get(sessionId);
      let leave = (): void => undefined;
      const left = new Promise<void>((resolve) => (leave = resolve));
      const free = Promise.all([before, left]).then(() => {
        if (lanes.get(sessionId) === free) lanes.delete(sessionId);
      });
      lanes.set(sessionId, free);
      try {
        if (before !== undefined) await raceAbort(before, signal);
        const turn = await start();
        turn.outcome.then(leave, leave);
        return turn;
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
