import { describe, expect, it } from 'vitest';
import { mapConcurrently } from './mapConcurrently.ts';

describe('mapConcurrently', () => {
  it('works on no more than the limit at once, and keeps the order', async () => {
    let running = 0;
    let most = 0;
    const double = async (value: number): Promise<number> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return value * 2;
    };
    expect(await mapConcurrently([1, 2, 3, 4, 5], 2, double)).toEqual([2, 4, 6, 8, 10]);
    expect(most).toBe(2);
  });

  it('begins nothing more after a failure', async () => {
    const begun: number[] = [];
    const work = async (value: number): Promise<number> => {
      begun.push(value);
      await Promise.resolve();
      if (value === 1) throw new Error('no');
      return value;
    };
    await expect(mapConcurrently([1, 2, 3, 4, 5, 6], 2, work)).rejects.toThrow('no');
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun.length).toBeLessThan(5);
  });
});
