import type { SessionConfig } from '../config/sections/sessionSection.ts';
import type { SessionEntry } from '../contracts/sessionEntry.ts';

/**
 * Whether a conversation begins anew with the turn that is about to begin. Times in milliseconds since the epoch. The day changes
 * at an hour of local time, whatever clock changes do to the days' lengths; an hour that a day skips is the next one there is.
 * Pure but for the time zone.
 */
export function decideReset(
  now: number,
  lastActivity: number | undefined,
  { mode, idleMs, atHour }: SessionConfig['reset'],
): 'idle' | 'daily' | undefined {
  if (lastActivity === undefined) return undefined;
  switch (mode) {
    case 'never':
      return undefined;
    case 'idle':
      return now - lastActivity >= idleMs ? 'idle' : undefined;
    case 'daily':
      return lastActivity < dayStart(now, atHour) && lastActivity < now ? 'daily' : undefined;
  }
}

/** When the day of `now` began. */
function dayStart(now: number, atHour: number): number {
  const time = new Date(now);
  const startOf = (days: number): number =>
    new Date(time.getFullYear(), time.getMonth(), time.getDate() + days, atHour).getTime();
  const today = startOf(0);
  return today <= now ? today : startOf(-1);
}

/** When something was last said in a session; undefined where nothing was. Pure. */
export function lastActivityOf(entries: readonly SessionEntry[]): number | undefined {
  const last = entries.findLast((entry) => entry.type === 'message');
  return last?.message.timestamp;
}
