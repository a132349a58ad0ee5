import { describe, expect, it } from 'vitest';
import { describeCost, describeUse, englishUseTexts, formatCost, formatTokens } from './describeUse.ts';
import { noUsage } from './sumUsage.ts';

describe('describeUse', () => {
  const context = { tokens: 12_345, window: 128_000, compactAt: 102_400, isEstimated: true };

  it('says how full the window is, what turn and session used, and what is estimated', () => {
    const turn = { ...noUsage, calls: 1, input: 3_400, output: 210, cost: 0.042_4 };
    expect(
      describeUse({ context, turn, session: { ...turn, isEstimated: true, isCostPartial: true } }),
    ).toEqual({
      context: '12k of 128k tokens (estimated)',
      turn: '3.4k tokens in, 210 out, $0.042',
      session: '3.4k tokens in, 210 out (estimated), at least $0.042',
    });
  });

  it('knows no turn before the first', () => {
    const use = describeUse({
      context: { ...context, isEstimated: false },
      turn: undefined,
      session: noUsage,
    });
    expect(use).toEqual({
      context: '12k of 128k tokens',
      turn: undefined,
      session: '0 tokens in, 0 out, $0',
    });
  });

  it('takes the words of another language', () => {
    const texts = { ...englishUseTexts, costUnknown: 'Preis unbekannt' };
    expect(describeCost({ cost: 0, isCostPartial: true }, texts)).toBe('Preis unbekannt');
  });
});

describe('formatTokens', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1k'],
    [3_449, '3.4k'],
    [9_960, '10k'],
    [127_600, '128k'],
    [999_499, '999k'],
    [999_500, '1M'],
    [1_300_000, '1.3M'],
  ])('%d is %s', (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text);
  });
});

describe('formatCost', () => {
  it.each([
    [0, '$0'],
    [0.000_01, 'less than $0.0001'],
    [0.001_234, '$0.0012'],
    [0.42, '$0.42'],
    [12.345, '$12.35'],
  ])('%d is %s', (dollars, text) => {
    expect(formatCost(dollars)).toBe(text);
  });
});
