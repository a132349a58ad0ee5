import { describe, expect, it } from 'vitest';
import { ageInDaysOf, calculateTemporalDecayMultiplier, temporalDecay } from './temporalDecay.ts';

const now = Date.UTC(2026, 10, 21, 12);

describe('calculateTemporalDecayMultiplier', () => {
  it.each([
    [0, 1],
    [15, 0.7071], // e^(-ln 2 / 2) = 1 / √2
    [30, 0.5], // e^(-ln 2)
    [60, 0.25], // e^(-2 ln 2)
    [7, 0.8507], // 2^(-7/30)
    [-5, 1], // written ahead
  ])('at %d days and a half-life of 30 it is %d', (ageInDays, multiplier) => {
    expect(calculateTemporalDecayMultiplier({ ageInDays, halfLifeDays: 30 })).toBeCloseTo(multiplier, 4);
  });
});

describe('ageInDaysOf', () => {
  it.each([
    ['2026-11-21', 0.5], // noon of the day itself
    ['2026-10-22', 30.5],
    ['2026-12-24', 0], // the future counts as today
  ])('%s is %d days old', (date, age) => {
    expect(ageInDaysOf(date, now)).toBe(age);
  });

  it.each(['2026-02-30', '2026-13-01', '', 'yesterday', '2026-11-21T10:00'])('%j is no date', (date) => {
    expect(ageInDaysOf(date, now)).toBeUndefined();
  });
});

describe('temporalDecay', () => {
  const config = { enabled: true, halfLifeDays: 30, floor: 0.4 };

  it('leaves what has no date alone', () => {
    expect(temporalDecay(undefined, config)).toBe(1);
  });

  it('never goes below the floor', () => {
    expect(temporalDecay(30, config)).toBeCloseTo(0.5);
    expect(temporalDecay(60, config)).toBe(0.4); // 0.25 without the floor
    expect(temporalDecay(60, { ...config, floor: 0 })).toBeCloseTo(0.25);
  });

  it('is 1 when switched off', () => {
    expect(temporalDecay(60, { ...config, enabled: false })).toBe(1);
  });
});
