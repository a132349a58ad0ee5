import { expect, it } from 'vitest';
import { readAhead } from './readAhead.ts';

it('reads a few ahead, never more, and gives the results in order', async () => {
  let open = 0;
  let most = 0;
  const read = async (item: number): Promise<number> => {
    open += 1;
    most = Math.max(most, open);
    await Promise.resolve();
    open -= 1;
    return item * 2;
  };
  const results: number[] = [];
  for await (const result of readAhead([1, 2, 3, 4, 5, 6, 7], 3, read)) results.push(result);
  expect(results).toEqual([2, 4, 6, 8, 10, 12, 14]);
  expect(most).toBeLessThanOrEqual(3);
});

it('throws at its turn what a read rejects with', async () => {
  const results: number[] = [];
  const read = (item: number): Promise<number> =>
    item === 2 ? Promise.reject(new Error('two')) : Promise.resolve(item);
  await expect(async () => {
    for await (const result of readAhead([1, 2, 3], 2, read)) results.push(result);
  }).rejects.toThrow('two');
  expect(results).toEqual([1]);
});
