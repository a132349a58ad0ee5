import { raceAbort } from '../base/abort.ts';
import { createSerialQueue } from '../base/createSerialQueue.ts';
import type { Clock } from '../host/ports.ts';
import { stopWithin } from '../host/settlesWithin.ts';

/** Keeps loads in order, with each other and with the turns that run. */
export interface TurnQueue {
  /** Runs `work` after what is being loaded now, whether turns run or not. */
  atOnce(work: () => Promise<void>): Promise<void>;
  /** Runs `work` at a moment when no turn runs. */
  betweenTurns(work: () => Promise<void>): Promise<void>;
  /** Looks whether something has changed, once what is being loaded now is done; not at all while turns run, and for 2 s at most. */
  catchUp(): Promise<void>;
  /**
   * Starts a turn once the current load is done and `look` has taken over what has changed, or after 2 s of waiting for both (`isLate`).
   * The turn counts as running from then on, until its `outcome` settles. While another turn runs no load begins: this turn starts with
   * what is loaded, and the next one that starts alone looks. A look that began after `since` (by `Clock.monotonic`) is not repeated.
   */
  startTurn<T extends { readonly outcome: Promise<unknown> }>(
    start: (isLate: boolean) => T | Promise<T>,
    since?: number,
  ): Promise<T>;
  /**
   * For a turn that can wait, before it starts: where something has changed on disk, or a load waits, waits until no turn runs.
   * Overlapping turns would put loads off for ever. All turns stop waiting 10 s after the first began to: one that takes an hour holds
   * nobody up. Gives how many turns still run. `told` is called after a second of waiting.
   * @throws PincerError `cancelled` once the signal is aborted; `told` is not called any more then
   */
  yieldToLoads(signal: AbortSignal, told?: () => void): Promise<number>;
  running(): number;
  /** From here on work that has not started is dropped; its callers are told it is done. */
  close(): void;
}

/** One work at a time. Once closed, what has not started is dropped; its caller is told it is done. */
export interface LoadQueue {
  run<T>(work: () => Promise<T>): Promise<T | undefined>;
  readonly isClosed: () => boolean;
  close(): void;
}

export function createLoadQueue(): LoadQueue {
  const inTurn = createSerialQueue();
  let closed = false;
  return {
    run: (work) => inTurn(() => (closed ? undefined : work())),
    isClosed: () => closed,
    close() {
      closed = true;
    },
  };
}

/** How long a turn waits for loads and for its look at the disk. */
const lookMs = 2_000;
/** A wait longer than this is explained to the user. */
const silentMs = 1_000;
/** How long turns yield to loads that wait, from the first turn that does. */
const yieldMs = 10_000;

/** Takes over what has changed. Once `isInTime` gives false a turn has begun: what is found then is left to a later look. */
type ReloadCheck = (isInTime: () => boolean) => Promise<void>;

/**
 * `changed` is called after each change of `running()`. `look` is done before a turn that starts alone; `isOutdated` tells a turn that
 * can wait whether a look would find something. `loading` is shared with what loads before there are turns.
 */
export function createTurnQueue(
  clock: Clock,
  changed: () => void,
  look: ReloadCheck = () => Promise.resolve(),
  isOutdated = (): Promise<boolean> => Promise.resolve(false),
  loading: LoadQueue = createLoadQueue(),
): TurnQueue {
  const waiting: (() => void)[] = [];
  /** How many of them have something to load. */
  let toLoad = 0;
  let running = 0;
  /** Until when turns yield; undefined where nothing waits. */
  let yieldsUntil: number | undefined;
  /** When the last finished look began. */
  let lookedAt = Number.NEGATIVE_INFINITY;

  const wake = (): void => waiting.splice(0).forEach((resume) => resume());
  const idle = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));

  const ended = (): void => {
    running -= 1;
    if (running === 0) {
      yieldsUntil = undefined;
      wake();
    }
    changed();
  };

  const inTime = async (work: ReloadCheck): Promise<void> => {
    let isLate = false;
    try {
      await stopWithin(clock, lookMs, async () => {
        await loading.run(() => work(() => !isLate));
      });
    } finally {
      isLate = true;
    }
  };

  const lookNow = async (isInTime: () => boolean): Promise<void> => {
    const began = clock.monotonic();
    await look(isInTime);
    if (isInTime()) lookedAt = began;
  };

  const queue: TurnQueue = {
    atOnce: (work) => loading.run(work),
    async betweenTurns(work) {
      // Without a pause where none runs: a turn that begins after this call comes after its work.
      if (running > 0 && !loading.isClosed()) {
        toLoad += 1;
        await idle();
        toLoad -= 1;
      }
      const isTooLate = await loading.run(async () => {
        // A turn that had waited long enough may have begun while other work was loading.
        if (running > 0) return true;
        await work();
        return false;
      });
      if (isTooLate === true) await queue.betweenTurns(work);
    },
    async catchUp() {
      if (running > 0) return;
      await inTime(async (isInTime) => {
        if (running === 0 && isInTime()) await lookNow(isInTime);
      });
    },
    async startTurn(start, since = Number.POSITIVE_INFINITY) {
      let isCounted = false;
      let isLate = true;
      const count = (): void => {
        if (isCounted) return;
        isCounted = true;
        running += 1;
        changed();
      };
      // Nothing can be swapped between the look and the turn.
      await inTime(async (isInTime) => {
        if (running === 0 && lookedAt < since) await lookNow(isInTime);
        isLate = !isInTime();
        count();
      });
      count();
      try {
        const turn = await start(isLate);
        turn.outcome.then(ended, ended);
        return turn;
      } catch (error) {
        ended();
        throw error;
      }
    },
    async yieldToLoads(signal, told = () => undefined) {
      if (running === 0 || loading.isClosed()) return 0;
      let isWaitedFor = toLoad > 0;
      if (!isWaitedFor) {
        const look = stopWithin(clock, lookMs, async () => {
          isWaitedFor = await isOutdated();
        });
        await raceAbort(look, signal);
      }
      if (!isWaitedFor) return 0;
      yieldsUntil ??= clock.monotonic() + yieldMs;
      const left = yieldsUntil - clock.monotonic();
      if (running > 0 && left > 0) {
        const stopTelling = clock.after(silentMs, told);
        await raceAbort(stopWithin(clock, left, idle), signal).finally(stopTelling);
      }
      return running;
    },
    running: () => running,
    close() {
      loading.close();
      wake();
    },
  };
  return queue;
}
