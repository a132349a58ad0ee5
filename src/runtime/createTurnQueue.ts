import { raceAbort } from '../base/abort.ts';
import { createSerialQueue } from '../base/createSerialQueue.ts';
import type { Clock } from '../host/ports.ts';
import { stopWithin } from './stopWithin.ts';

/** Puts what loads and swaps parts in order, with each other and with the turns that run. */
export interface TurnQueue {
  /** Runs `work` after what is being loaded now, whether turns run or not. */
  atOnce(work: () => Promise<void>): Promise<void>;
  /** Runs `work` at a moment when no turn runs. */
  betweenTurns(work: () => Promise<void>): Promise<void>;
  /** Looks whether something has changed, once what is being loaded now is done; not at all while turns run, and for 2 s at most. */
  catchUp(): Promise<void>;
  /**
   * Starts a turn once what is being loaded now is done and `look` has taken over what has changed, or after 2 s of waiting for
   * both. The turn counts as running from then on, until its `outcome` settles. Beside a turn that runs nothing new is begun to load:
   * then this one begins with what is there, and the next that begins alone looks. A look that was begun after `since` (by
   * `Clock.monotonic`) need not be repeated. `isLate`: the 2 s were over first.
   */
  startTurn<T extends { readonly outcome: Promise<unknown> }>(
    start: (isLate: boolean) => T | Promise<T>,
    since?: number,
  ): Promise<T>;
  /**
   * For a turn that can wait, before it starts: where something has changed, or is to be loaded between turns, waits until no turn runs.
   * Turns that overlap would put it off for ever; so that one which takes an hour holds nobody up, all wait for 10 s at most together.
   * Gives how many turns it still waits for. `told` is called once it has waited for a second.
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

const timeoutMs = 2_000;
/** From when on somebody who looks on wants to know why nothing happens. */
const silentMs = 1_000;
/** How long turns yield to what waits, from the first that does. */
const yieldMs = 10_000;

/** Takes over what has changed. What it finds once `isInTime` gives false it leaves to a later look: a turn has begun. */
type ReloadCheck = (isInTime: () => boolean) => Promise<void>;

/**
 * `changed` is called whenever a turn has been counted in or out, so that `running()` is true to it. `look` is done before a turn
 * begins that no other runs beside, `isOutdated` asked before one that yields: whether a look would find something. What loads before
 * there are turns waits in `loading`, too.
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
  /** When the last look was begun that came to its end. */
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
      await stopWithin(clock, timeoutMs, async () => {
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
        const look = stopWithin(clock, timeoutMs, async () => {
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
