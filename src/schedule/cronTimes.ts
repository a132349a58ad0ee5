// The library of cron expressions, in a bundle of its own: loaded with the first job that has one (docs/architecture.md).
import { Cron } from 'croner';
import type { DueTimes } from './planDue.ts';

/**
 * The times of a cron expression with five fields, or six with seconds, in a time zone; default this machine's.
 * @throws Error where expression or zone is none
 */
export function cronTimes(expr: string, tz: string | undefined): DueTimes {
  const cron = new Cron(expr, {
    paused: true,
    mode: '5-or-6-parts',
    ...(tz === undefined ? {} : { timezone: tz }),
  });
  // The library checks the zone only when a time is asked for.
  cron.nextRun();
  return {
    next: (after) => cron.nextRun(new Date(after))?.getTime(),
    // The library gives whole seconds before the reference: the next second includes `upTo`.
    last: (upTo, count) =>
      cron
        .previousRuns(count, new Date(Math.floor(upTo / 1_000) * 1_000 + 1_000))
        .map((time) => time.getTime())
        .filter((time) => time <= upTo),
  };
}
