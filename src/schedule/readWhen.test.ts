import { expect, it } from 'vitest';
import { describeWhen, readWhen, splitWhen, writeWhen } from './readWhen.ts';

const now = Date.parse('2026-11-26T10:00:00Z');

it('reads times, times from now, intervals and cron expressions', () => {
  expect(readWhen({ at: '2026-11-26T12:00:00Z' }, now)).toEqual({ kind: 'at', at: now + 7_200_000 });
  expect(readWhen({ at: '20m' }, now)).toEqual({ kind: 'at', at: now + 1_200_000 });
  expect(readWhen({ at: '2026-11-26 9:00' }, 0)).toEqual({
    kind: 'at',
    at: new Date(2026, 10, 26, 9).getTime(),
  });
  expect(readWhen({ at: new Date(now + 1_000).toUTCString() }, now)).toEqual({ kind: 'at', at: now + 1_000 });
  expect(readWhen({ every: 'weekday at 9' }, now)).toEqual({ kind: 'cron', expr: '0 9 * * 1-5' });
  expect(readWhen({ every: '2h' }, now)).toEqual({ kind: 'every', everyMs: 7_200_000, anchor: now });
  expect(readWhen({ cron: '0 9 * * 1-5', tz: 'Europe/Vienna' }, now)).toEqual({
    kind: 'cron',
    expr: '0 9 * * 1-5',
    tz: 'Europe/Vienna',
  });
});

it.each([
  [{}, 'exactly one'],
  [{ at: '20m', every: '1h' }, 'exactly one'],
  [{ at: '2020-01-01' }, 'has passed'],
  [{ at: 'soon' }, 'is no time'],
  [{ at: 'tuesday at 9' }, 'is no time'],
  [{ at: 'tomorrow at 25' }, 'is no time'],
  [{ at: '9' }, 'is no time'],
  [{ at: 'today at 0:00' }, 'has passed'],
  [{ every: '10s' }, 'no interval'],
  [{ every: '300000ms' }, 'no interval'],
  [{ every: '1M' }, 'no interval'],
  [{ every: 'constructor' }, 'no interval'],
  [{ at: 'constructor' }, 'is no time'],
  [{ every: '900d' }, 'no interval'],
  [{ every: '1h', tz: 'UTC' }, 'goes with a cron'],
])('refuses %o', (text, problem) => {
  expect(() => readWhen(text, now)).toThrow(problem);
});

it('says when in words', () => {
  expect(describeWhen({ kind: 'every', everyMs: 1_800_000, anchor: 0 })).toBe('every 30 min');
  expect(describeWhen({ kind: 'every', everyMs: 86_400_000, anchor: 0 })).toBe('every 1 d');
  expect(describeWhen({ kind: 'cron', expr: '0 9 * * *', tz: 'UTC' })).toBe('0 9 * * * (UTC)');
});

it('writes when so that it is read as the same again', () => {
  const at = new Date(2027, 0, 9, 8, 5).getTime();
  expect(writeWhen({ kind: 'at', at })).toBe('2027-01-09 08:05');
  for (const when of [
    { kind: 'at', at },
    { kind: 'every', everyMs: 5_400_000, anchor: now },
    { kind: 'cron', expr: '0 9 * * 1-5' },
    { kind: 'cron', expr: '30 18 1 * *', tz: 'Europe/Vienna' },
  ] as const)
    expect(readWhen(splitWhen(writeWhen(when)), now)).toEqual(when);
});

it('tells an interval, a cron expression with its zone and a time apart in one line', () => {
  expect(splitWhen('every 2h')).toEqual({ every: '2h' });
  expect(splitWhen(' 0 9 * * 1-5 ')).toEqual({ cron: '0 9 * * 1-5' });
  expect(splitWhen('0 9 * * 1-5 Europe/Vienna')).toEqual({ cron: '0 9 * * 1-5', tz: 'Europe/Vienna' });
  expect(splitWhen('0 9 ? * MON#1')).toEqual({ cron: '0 9 ? * MON#1' });
  expect(splitWhen('20m')).toEqual({ at: '20m' });
  expect(splitWhen('2026-12-01 09:00')).toEqual({ at: '2026-12-01 09:00' });
});

it('takes what people say of a time, by the clock of this machine', () => {
  const local = (day: number, hour: number, minute = 0): number => {
    const time = new Date(now);
    time.setDate(time.getDate() + day);
    time.setHours(hour, minute, 0, 0);
    return time.getTime();
  };
  const at = (text: string): unknown => readWhen(splitWhen(text), now);
  expect(at('tomorrow at 9')).toEqual({ kind: 'at', at: local(1, 9) });
  expect(at('tomorrow at 6:30 pm')).toEqual({ kind: 'at', at: local(1, 18, 30) });
  expect(at('today at 23:59')).toEqual({ kind: 'at', at: local(0, 23, 59) });
  // The next one: today's has passed in every zone where it is later than midnight.
  expect(at('0:00')).toEqual({ kind: 'at', at: local(1, 0) });
  expect(at('in 20 minutes')).toEqual({ kind: 'at', at: now + 1_200_000 });
  expect(at('every hour')).toEqual({ kind: 'every', everyMs: 3_600_000, anchor: now });
  expect(at('every 30 minutes')).toEqual({ kind: 'every', everyMs: 1_800_000, anchor: now });
  expect(at('every day at 9')).toEqual({ kind: 'cron', expr: '0 9 * * *' });
  expect(at('every weekday at 9:30')).toEqual({ kind: 'cron', expr: '30 9 * * 1-5' });
  expect(at('every Monday at 18')).toEqual({ kind: 'cron', expr: '0 18 * * 1' });
});
