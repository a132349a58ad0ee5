import { describe, expect, it } from 'vitest';
import { keepPart, planBudget } from './planBudget.ts';

const config = { at: 0.8, keepTokens: 20_000 };

describe('planBudget', () => {
  it('compacts at the part of the window that the config names', () => {
    const info = { contextWindow: 128_000, maxOutputTokens: 16_000 };
    // 102,400 - 10,400 of system prompt and tools - 2,000 of summary = 90,000 free.
    expect(planBudget(info, config, 10_400)).toEqual({
      window: 128_000,
      compactAt: 102_400,
      summaryTokens: 2_000,
      keepTokens: 20_000,
      maxKeepTokens: 72_000,
    });
  });

  it('leaves room for an answer: its longest, at most a quarter of the window', () => {
    expect(planBudget({ contextWindow: 100_000, maxOutputTokens: 64_000 }, config, 0).compactAt).toBe(75_000);
    expect(
      planBudget({ contextWindow: 100_000, maxOutputTokens: 8_000 }, { ...config, at: 0.95 }, 0),
    ).toMatchObject({
      compactAt: 92_000,
    });
  });

  it('keeps less in the small window of a local model', () => {
    const info = { contextWindow: 4_096, maxOutputTokens: 2_048 };
    // 3,072 - 1,500 - 409 = 1,163 free.
    expect(planBudget(info, config, 1_500)).toMatchObject({
      compactAt: 3_072,
      summaryTokens: 409,
      keepTokens: 581,
      maxKeepTokens: 930,
    });
  });

  it('keeps nothing where system prompt and tools take all', () => {
    const info = { contextWindow: 4_096, maxOutputTokens: 2_048 };
    expect(planBudget(info, config, 9_000)).toMatchObject({ keepTokens: 0, maxKeepTokens: 0 });
  });
});

describe('keepPart', () => {
  const budget = planBudget({ contextWindow: 128_000, maxOutputTokens: 16_000 }, config, 10_400);

  it('keeps at most that part of the conversation, and never more than before', () => {
    expect(keepPart(budget, 40_000, 0.25)).toMatchObject({ keepTokens: 10_000, maxKeepTokens: 10_000 });
    expect(keepPart(budget, 1_000_000, 0.25)).toEqual(budget);
  });
});
