import type { Attention, Clock } from '../host/ports.ts';
import type { TimeLeft } from './approvalBroker.ts';

/** The time that a question has. */
export interface Countdown {
  left(): TimeLeft;
  stop(): void;
}

/** Calls `ended` once, after `ms` in which it ran: all of the time, or with `attention` only while somebody looks. */
export function startCountdown(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  ms: number,
  attention: Attention | undefined,
  ended: () => void,
): Countdown {
  /** What was left when it last began to run or was halted. */
  let rest = ms;
  let since: number | undefined;
  let cancel = (): void => undefined;
  const left = (): number => (since === undefined ? rest : Math.max(0, rest - (clock.monotonic() - since)));
  const run = (): void => {
    const runs = attention?.isWatched() ?? true;
    if (runs === (since !== undefined)) return;
    rest = left();
    since = runs ? clock.monotonic() : undefined;
    cancel();
    cancel = runs
      ? clock.after(rest, () => {
          stop();
          ended();
        })
      : () => undefined;
  };
  const heard = attention?.onDidChange(run);
  const stop = (): void => {
    cancel();
    heard?.dispose();
  };
  run();
  return { left: () => ({ ms: left(), isRunning: since !== undefined }), stop };
}

/** The host's time, which runs only while somebody looks, beside a longer one by the clock: what is left is the shorter of both. */
export function startBoth(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  { ms, clockMs }: { readonly ms: number; readonly clockMs: number },
  attention: Attention,
  { ended, overtaken }: { readonly ended: () => void; readonly overtaken: () => void },
): Countdown {
  const watched = startCountdown(clock, ms, attention, ended);
  const byClock = startCountdown(clock, clockMs, undefined, ended);
  let shorter = watched;
  // The one stands still while nobody looks, the other does not: after so much of that the clock's is the shorter one for good.
  const unwatched = { isWatched: () => !attention.isWatched(), onDidChange: attention.onDidChange };
  const lead = startCountdown(clock, clockMs - ms, unwatched, () => {
    shorter = byClock;
    overtaken();
  });
  return {
    left: () => shorter.left(),
    stop: () => [watched, byClock, lead].forEach((each) => each.stop()),
  };
}
