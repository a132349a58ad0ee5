import { describe, expect, it } from 'vitest';
import { planBatches } from './planBatches.ts';

const plan = (lengths: readonly number[], maxTexts = 10): readonly (readonly number[])[] => [
  ...planBatches(lengths, (length) => 'x'.repeat(length), { maxTexts, maxTokens: 10 }),
];

describe('planBatches', () => {
  it('fills each batch up to the tokens, in the order of the items: 4 characters are a token', () => {
    expect(plan([20, 20, 4, 36, 40])).toEqual([[20, 20], [4, 36], [40]]);
  });

  it('holds no more texts than a request may', () => {
    expect(plan([4, 4, 4], 2)).toEqual([[4, 4], [4]]);
  });

  it('sends a text that is too long alone', () => {
    expect(plan([4, 400, 4])).toEqual([[4], [400], [4]]);
  });

  it('takes no more from its source than the batch that was asked for, and the item that ends it', () => {
    let taken = 0;
    const source = function* (): Generator<number> {
      for (; ; taken += 1) yield 20;
    };
    const batches = planBatches(source(), (length) => 'x'.repeat(length), { maxTexts: 10, maxTokens: 10 });
    expect(batches.next().value).toEqual([20, 20]);
    expect(taken).toBe(2);
  });

  it('of nothing there is nothing', () => {
    expect(plan([])).toEqual([]);
  });
});
