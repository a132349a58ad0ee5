const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * How long ago something was, in few words of the language: `5 min. ago`, `3 hr. ago`, and from two days on the date. `now` is the
 * text for less than a minute; times are milliseconds since the epoch. Pure.
 */
export function relativeTime(time: number, now: number, language: string, justNow: string): string {
  const past = Math.max(0, now - time);
  if (past < minute) return justNow;
  const format = new Intl.RelativeTimeFormat(language, { style: 'short' });
  if (past < hour) return format.format(-Math.floor(past / minute), 'minute');
  if (past < day) return format.format(-Math.floor(past / hour), 'hour');
  if (past < 2 * day) return format.format(-1, 'day');
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const shape: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
  return new Date(time).toLocaleDateString(language, isThisYear ? shape : { ...shape, year: 'numeric' });
}
