import type { Attention, Clock } from '../host/ports.ts';
import type { TimeLeft } from './approvalBroker.ts';

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
