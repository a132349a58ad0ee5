import type { Clock } from '../host/ports.ts';

/** A call that must end by a point in time. The links belong to the list that it is in. */
export interface Deadline {
  /** By the clock that only grows. */
  readonly at: number;
  /** Called when that time has come; takes the deadline out. */
  readonly expire: () => void;
  before: Deadline | undefined;
  after: Deadline | undefined;
  isWaiting: boolean;
}

/** Deadlines that share one timer: arming a timer for every handler of every hook costs more than most handlers. */
export interface Deadlines {
  add(at: number, expire: () => void): Deadline;
  /** False where it had been taken out before. */
  remove(deadline: Deadline): boolean;
}

export function createDeadlines(clock: Clock): Deadlines {
  // A linked list: adding and removing is what happens all the time, looking through it almost never.
  let first: Deadline | undefined;
  let armedFor = Infinity;
  let disarm = (): void => undefined;

  const arm = (at: number): void => {
    disarm();
    armedFor = at;
    disarm = clock.after(Math.max(0, Math.ceil(at - clock.monotonic())), ring);
  };
  const ring = (): void => {
    armedFor = Infinity;
    const now = clock.monotonic();
    const waiting: Deadline[] = [];
    for (let each = first; each !== undefined; each = each.after) waiting.push(each);
    for (const deadline of waiting) if (deadline.isWaiting && deadline.at <= now) deadline.expire();
    let next = Infinity;
    for (let each = first; each !== undefined; each = each.after) next = Math.min(next, each.at);
    if (next < armedFor) arm(next);
  };

  return {
    add(at, expire) {
      const deadline = { at, expire, before: undefined, after: first, isWaiting: true };
      if (first !== undefined) first.before = deadline;
      first = deadline;
      if (at < armedFor) arm(at);
      return deadline;
    },
    // The timer stays: the next call most likely needs it, and it finds nothing to do otherwise.
    remove(deadline) {
      if (!deadline.isWaiting) return false;
      const { before, after } = deadline;
      deadline.isWaiting = false;
      if (before === undefined) first = after;
      else before.after = after;
      if (after !== undefined) after.before = before;
      return true;
    },
  };
}
