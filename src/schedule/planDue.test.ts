import { describe, expect, it } from 'vitest';
import { cronTimes } from './cronTimes.ts';
import { maxMakeUp, plainTimes, planDue } from './planDue.ts';

const minute = 60_000;
const every = plainTimes({ kind: 'every', everyMs: 10 * minute, anchor: 0 });

describe('planDue', () => {
  it('runs nothing before the first time has come, and each time once', () => {
    expect(planDue(every, 'once', 0, 10 * minute - 1)).toBeUndefined();
    expect(planDue(every, 'once', 0, 10 * minute)).toEqual({ does: 'run', slot: 10 * minute, missed: 0 });
    expect(planDue(every, 'once', 10 * minute, 20 * minute - 1)).toBeUndefined();
  });

  it('lets one run make up for all times that were missed', () => {
    expect(planDue(every, 'once', 0, 55 * minute)).toEqual({ does: 'run', slot: 50 * minute, missed: 4 });
  });

  it('skips what was missed, but not what is due now', () => {
    expect(planDue(every, 'skip', 0, 55 * minute)).toEqual({ does: 'skip', slot: 50 * minute, missed: 5 });
    expect(planDue(every, 'skip', 0, 50 * minute + 500)).toEqual({
      does: 'run',
      slot: 50 * minute,
      missed: 4,
    });
  });

  it('runs each missed time, the oldest first, up to a limit', () => {
    expect(planDue(every, 'all', 0, 55 * minute)).toEqual({ does: 'run', slot: 10 * minute, missed: 0 });
    const slot = (1_000 - maxMakeUp + 1) * 10 * minute;
    expect(planDue(every, 'all', 0, 10_000 * minute)).toEqual({ does: 'run', slot, missed: 0 });
  });

  it('a time that comes once is still to come until it is handled', () => {
    const once = plainTimes({ kind: 'at', at: 1_000 });
    expect(planDue(once, 'once', 0, 5_000)).toMatchObject({ does: 'run', slot: 1_000 });
    expect(planDue(once, 'once', 1_000, 5_000)).toBeUndefined();
    expect([once.next(0), once.next(1_000)]).toEqual([1_000, undefined]);
  });
});

describe('cronTimes', () => {
  const at = (text: string): number => Date.parse(text);

  it('knows the times of an expression in its time zone, over the end of summer time', () => {
    const times = cronTimes('30 9 * * 1-5', 'Europe/Vienna');
    expect(times.next(at('2026-10-23T07:30:00Z'))).toBe(at('2026-10-26T08:30:00Z'));
    expect(times.last(at('2026-10-26T08:30:00Z'), 2)).toEqual([
      at('2026-10-26T08:30:00Z'),
      at('2026-10-23T07:30:00Z'),
    ]);
  });

  it('counts a time that is this very moment, and none that is to come', () => {
    const times = cronTimes('* * * * *', 'UTC');
    const now = at('2026-11-26T10:00:00Z');
    expect(times.last(now, 1)).toEqual([now]);
    expect(times.last(now - 1, 1)).toEqual([now - minute]);
    expect(times.next(now)).toBe(now + minute);
  });

  it.each([
    ['61 * * * *', undefined],
    ['every day', undefined],
    ['0 9 * * *', 'Nowhere/City'],
  ])('refuses %s in the zone %s', (expr, tz) => {
    expect(() => cronTimes(expr, tz)).toThrow();
  });
});
