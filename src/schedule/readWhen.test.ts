import { expect, it } from 'vitest';
import { describeWhen, readWhen, splitWhen } from './readWhen.ts';

const now = Date.parse('2026-11-26T10:00:00Z');

it('reads times, times from now, intervals and cron expressions', () => {
  expect(readWhen({ at: '2026-11-26T12:00:00Z' }, now)).toEqual({ kind: 'at', at: now + 7_200_000 });
  expect(readWhen({ at: '20m' }, now)).toEqual({ kind: 'at', at: now + 1_200_000 });
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
  [{ every: '10s' }, 'no interval'],
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

it('tells an interval, a cron expression with its zone and a time apart in one line', () => {
  expect(splitWhen('every 2h')).toEqual({ every: '2h' });
  expect(splitWhen(' 0 9 * * 1-5 ')).toEqual({ cron: '0 9 * * 1-5' });
  expect(splitWhen('0 9 * * 1-5 Europe/Vienna')).toEqual({ cron: '0 9 * * 1-5', tz: 'Europe/Vienna' });
  expect(splitWhen('20m')).toEqual({ at: '20m' });
  expect(splitWhen('2026-12-01 09:00')).toEqual({ at: '2026-12-01 09:00' });
});
