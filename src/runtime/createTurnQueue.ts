import type { Clock } from '../host/ports.ts';
import { stopWithin } from './stopWithin.ts';

/** Puts what loads and swaps parts in order, with each other and with the turns that run. */
export interface TurnQueue {
  /** Runs `work` after what is being loaded now, whether turns run or not. */
  atOnce(work: () => Promise<void>): Promise<void>;
  /** Runs `work` at a moment when no turn runs (rulings P11). */
  betweenTurns(work: () => Promise<void>): Promise<void>;
  /**
   * Starts a turn once what is being loaded now is done, or after 2 s of waiting for it; the turn counts as running from the
   * call on, until its `outcome` settles.
   */
  startTurn<T extends { readonly outcome: Promise<unknown> }>(start: () => T | Promise<T>): Promise<T>;
  running(): number;
  /** From here on work that has not started is dropped; its callers are told it is done. */
  close(): void;
}

const patienceMs = 2_000;

/** `changed` is called whenever a turn has been counted in or out, so that `running()` is true to it. */
export function createTurnQueue(clock: Clock, changed: () => void): TurnQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  const wake = (): void => waiting.splice(0).forEach((resume) => resume());
  const inOrder = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    const turn = last.then(() => (closed ? undefined : work()));
    // The caller hears of the failure through `turn`; the chain only keeps the order.
    last = turn.catch(() => undefined);
    return await turn;
  };
  const idle = async (): Promise<void> => {
    if (running > 0 && !closed) await new Promise<void>((resolve) => waiting.push(resolve));
  };

  const ended = (): void => {
    running -= 1;
    if (running === 0) wake();
    changed();
  };

  const queue: TurnQueue = {
    atOnce: inOrder,
    async betweenTurns(work) {
      await idle();
      const isTooLate = await inOrder(async () => {
        // A turn may have begun while other work was loading.
        if (running > 0) return true;
        await work();
        return false;
      });
      if (isTooLate === true) await queue.betweenTurns(work);
    },
    async startTurn(start) {
      running += 1;
      changed();
      try {
        await stopWithin(clock, patienceMs, async () => {
          await last;
        });
        const turn = await start();
        turn.outcome.then(ended, ended);
        return turn;
      } catch (error) {
        ended();
        throw error;
      }
    },
    running: () => running,
    close() {
      closed = true;
      wake();
    },
  };
  return queue;
}
