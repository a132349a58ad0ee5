import { raceAbort, throwIfAborted } from '../base/abort.ts';

/** Turns of one session run one after the other: two at once would mix their messages in its transcript. */
interface SessionLanes {
  /**
   * Starts a turn once those that began before it in the same session have ended. What a turn waits for must not wait for a turn
   * of the same session. @throws PincerError `cancelled` where the signal aborts while it waits, and what `start` throws
   */
  enter<T extends { readonly outcome: Promise<unknown> }>(
    sessionId: string,
    signal: AbortSignal,
    start: () => Promise<T>,
  ): Promise<T>;
  /** The session is about to be deleted: what waits in it is `cancelled`. */
  clear(sessionId: string): void;
}

export function createSessionLanes(): SessionLanes {
  const lanes = new Map<string, Promise<void>>();
  const waiting = new Map<string, Set<AbortController>>();

  /** Waits for the turns before this one; whoever clears the lane ends the wait. */
  const wait = async (sessionId: string, before: Promise<void>, signal: AbortSignal): Promise<void> => {
    const cleared = new AbortController();
    const others = waiting.get(sessionId) ?? new Set();
    waiting.set(sessionId, others.add(cleared));
    try {
      await raceAbort(before, AbortSignal.any([signal, cleared.signal]));
      throwIfAborted(cleared.signal);
    } finally {
      others.delete(cleared);
      if (others.size === 0) waiting.delete(sessionId);
    }
  };

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
        if (before !== undefined) await wait(sessionId, before, signal);
        const turn = await start();
        turn.outcome.then(leave, leave);
        return turn;
      } catch (error) {
        leave();
        throw error;
      }
    },
    clear: (sessionId) => waiting.get(sessionId)?.forEach((each) => each.abort()),
  };
}
