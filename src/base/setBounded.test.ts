import { expect, it } from 'vitest';
import { setBounded } from './setBounded.ts';

it('lets go of what was set longest ago, and of nothing while there is room', () => {
  const map = new Map<string, number>();
  setBounded(map, 'a', 1, 2);
  setBounded(map, 'b', 2, 2);
  expect([...map]).toEqual([
    ['a', 1],
    ['b', 2],
  ]);

  setBounded(map, 'a', 3, 2);
  setBounded(map, 'c', 4, 2);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});
