import { describe, expect, it } from 'vitest';
import { compaction, says, transcript, user } from '../../../test/builders/transcriptLines.ts';
import { noUsage, priceOf, sumUsage } from './sumUsage.ts';

const cost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

describe('priceOf', () => {
  it('prices what came from the cache and went into it by itself, as `input` holds both', () => {
    // 1,000 fresh at 3, 8,000 read at 0.3, 1,000 written at 3.75, 500 out at 15: 3,000 + 2,400 + 3,750 + 7,500 millionths.
    const usage = { input: 10_000, output: 500, cacheRead: 8_000, cacheWrite: 1_000 };
    expect(priceOf(usage, cost)).toBeCloseTo(0.016_65, 10);
  });

  it('counts the cache as any input where it has no price, and never below nothing', () => {
    expect(priceOf({ input: 1_000, output: 0, cacheRead: 400 }, { input: 2, output: 0 })).toBeCloseTo(
      0.002,
      10,
    );
    expect(priceOf({ input: 100, output: 0, cacheRead: 400 }, { ...cost, cacheRead: 0 })).toBe(0);
  });
});

describe('sumUsage', () => {
  const used = { input: 1_000, output: 100 };

  it('adds up all calls of a transcript, summaries included', () => {
    const entries = transcript(
      user('one'),
      says('1', { ...used, cacheRead: 200, cacheWrite: 100 }),
      compaction('e1', { usage: { input: 500, output: 50 } }),
      says('2', used),
    );
    expect(sumUsage(entries, () => ({ input: 1, output: 10 }))).toEqual({
      calls: 3,
      input: 2_500,
      output: 250,
      cacheRead: 200,
      cacheWrite: 100,
      cost: 0.005,
      isCostPartial: false,
      isEstimated: false,
    });
  });

  it('makes up no price', () => {
    const entries = transcript(says('1', used), { ...says('2', used), model: 'free' });
    const sum = sumUsage(entries, ({ model }) => (model === 'free' ? { input: 0, output: 0 } : undefined));
    expect(sum).toMatchObject({ calls: 2, cost: 0, isCostPartial: true });
  });

  it('estimates what no server counted, from the conversation up to there', () => {
    const sized = sumUsage(
      transcript(user('a'), says('b'), compaction('e1', { tokensBefore: 20, tokensAfter: 7 }), says('c')),
      () => undefined,
      () => 10,
    );
    // 10 before the first answer, 20 for the summary, 7 before the second; 10, 4 (the summary) and 10 out.
    expect(sized).toMatchObject({ calls: 3, input: 37, output: 24, isEstimated: true });
  });

  it('leaves out the built-in model, which uses nothing', () => {
    const builtIn = { ...says('hi'), provider: 'pincer', model: 'built-in' };
    expect(sumUsage(transcript(user('a'), builtIn), () => undefined)).toEqual(noUsage);
  });
});
