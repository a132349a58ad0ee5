import type { Job, MissedRunPolicy, When } from './job.ts';

/** The times at which a job is due; milliseconds since the epoch. */
export interface DueTimes {
  /** The first after a time; undefined where there is none. */
  next(after: number): number | undefined;
  /** At most so many up to and including a time, the last first. */
  last(upTo: number, count: number): readonly number[];
}

/** What is to be done with the times of a job that have come. `slot` is the one that stands for them. */
export interface DueRun {
  readonly does: 'run' | 'skip';
  readonly slot: number;
  /** Times before it that nothing ran for; at least so many. */
  readonly missed: number;
}

/** A time counts as missed once it has passed by more than this: the machine slept, or no window was open. Milliseconds. */
export const graceMs = 60_000;

/** So many missed times run one after the other, at most; those before them do not. */
export const maxMakeUp = 24;

/**
 * What to do next for a job whose times up to `handled` are done; undefined where none has come. Of `all` the oldest time comes first:
 * the others are asked for once it is handled. Pure.
 */
export function planDue(
  times: DueTimes,
  rule: MissedRunPolicy,
  handled: number,
  now: number,
): DueRun | undefined {
  const due = times
    .last(now, maxMakeUp)
    .filter((time) => time > handled)
    .reverse();
  const last = due.at(-1);
  const first = due[0];
  if (last === undefined || first === undefined) return undefined;
  if (rule === 'all') return { does: 'run', slot: first, missed: 0 };
  const does = rule === 'once' || now - last <= graceMs ? 'run' : 'skip';
  return { does, slot: last, missed: does === 'skip' ? due.length : due.length - 1 };
}

/** The times of a job that is no cron expression. Pure. */
export function plainTimes(when: Exclude<When, { readonly kind: 'cron' }>): DueTimes {
  if (when.kind === 'at') {
    const { at } = when;
    return { next: (after) => (at > after ? at : undefined), last: (upTo) => (at <= upTo ? [at] : []) };
  }
  const { everyMs, anchor } = when;
  const numberUpTo = (time: number): number => Math.floor((time - anchor) / everyMs);
  return {
    next: (after) => anchor + Math.max(1, numberUpTo(after) + 1) * everyMs,
    last(upTo, count) {
      const newest = numberUpTo(upTo);
      const length = Math.max(0, Math.min(count, newest));
      return Array.from({ length }, (_, index) => anchor + (newest - index) * everyMs);
    },
  };
}

/** A job whose times are all handled. Pure. */
export function isDone(job: Job, times: DueTimes, handled: number): boolean {
  return job.when.kind === 'at' && times.next(handled) === undefined;
}
