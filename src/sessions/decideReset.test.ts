import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decideReset } from './decideReset.ts';

const minute = 60_000;
const idle = { mode: 'idle', idleMs: 30 * minute, atHour: 4 } as const;
const daily = { mode: 'daily', idleMs: minute, atHour: 4 } as const;

describe('decideReset', () => {
  let zone: string | undefined;
  beforeEach(() => {
    zone = process.env['TZ'];
    process.env['TZ'] = 'Europe/Berlin';
  });
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
  const at = (text: string): number => new Date(text).getTime();

  it('never resets by itself unless the config says so, nor where nothing was said', () => {
    expect(decideReset(1e12, 0, { ...daily, mode: 'never' })).toBeUndefined();
    expect(decideReset(1e12, undefined, idle)).toBeUndefined();
    expect(decideReset(1e12, undefined, daily)).toBeUndefined();
  });

  it.each([
    [30, 'idle'],
    [29.99, undefined],
    [-5, undefined],
  ])('after %s minutes of pause it is %s', (minutes, reason) => {
    expect(decideReset(1e12 + minutes * minute, 1e12, idle)).toBe(reason);
  });

  it.each([
    ['the same day', '2026-11-20T09:00', '2026-11-20T23:00', undefined],
    ['past midnight, before the hour', '2026-11-20T23:00', '2026-11-21T03:59', undefined],
    ['at the hour', '2026-11-20T23:00', '2026-11-21T04:00', 'daily'],
    ['days later, before the hour', '2026-11-18T23:00', '2026-11-21T03:00', 'daily'],
    ['said at the hour itself', '2026-11-21T04:00', '2026-11-21T05:00', undefined],
    ['a clock that was set back', '2026-11-21T12:00', '2026-11-21T03:00', undefined],
  ])('%s', (_what, last, now, reason) => {
    expect(decideReset(at(now), at(last), daily)).toBe(reason);
  });

  // On 2026-03-29 the clocks skip from 2 to 3, on 2026-10-25 they show 2 to 3 twice.
  it.each([
    ['the shorter day', '2026-03-28T23:00', '2026-03-29T04:00', 4, 'daily'],
    ['not before its hour', '2026-03-28T23:00', '2026-03-29T03:59', 4, undefined],
    ['an hour that is skipped is the next one', '2026-03-28T23:00', '2026-03-29T03:00', 2, 'daily'],
    ['the longer day', '2026-10-24T23:00', '2026-10-25T04:00', 4, 'daily'],
    ['not before the hour of the longer day', '2026-10-24T23:00', '2026-10-25T03:59', 4, undefined],
  ])('%s', (_what, last, now, atHour, reason) => {
    expect(decideReset(at(now), at(last), { ...daily, atHour })).toBe(reason);
  });

  it('an hour that comes twice counts once', () => {
    const first = at('2026-10-25T02:30:00+02:00');
    const second = at('2026-10-25T02:30:00+01:00');
    expect(decideReset(second, first, { ...daily, atHour: 2 })).toBeUndefined();
  });
});
