import { describe, expect, it } from 'vitest';
import { correctEstimate } from './correctEstimate.ts';

describe('correctEstimate', () => {
  it('is the estimate itself while no server has counted', () => {
    expect(correctEstimate(700, undefined)).toBe(700);
  });

  it("is the server's count and the estimate of what was added since", () => {
    expect(correctEstimate(1_100, { counted: 1_300, estimated: 1_000 })).toBe(1_400);
  });

  it('shrinks in proportion where the request became shorter', () => {
    expect(correctEstimate(500, { counted: 1_300, estimated: 1_000 })).toBe(650);
  });

  it('passes over a count of less than half: a local server that cut the request or left out its cache', () => {
    expect(correctEstimate(1_100, { counted: 499, estimated: 1_000 })).toBe(1_100);
    expect(correctEstimate(1_100, { counted: 500, estimated: 1_000 })).toBe(600);
  });
});
