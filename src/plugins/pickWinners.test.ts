import { describe, expect, it } from 'vitest';
import { pickWinners } from './pickWinners.ts';

describe('pickWinners', () => {
  it('ranks config over bundled over workspace over global, and the first of equals (rulings P2)', () => {
    const of = (origin: 'config' | 'bundled' | 'workspace' | 'global') => ({ id: 'p', origin });
    const all = [of('global'), of('workspace'), of('workspace'), of('bundled'), of('config')] as const;
    expect([...pickWinners(all).values()]).toEqual(Array(4).fill(all[4]));
    const [first, second] = [of('workspace'), of('workspace')];
    expect(pickWinners([first, second])).toEqual(new Map([[second, first]]));
  });

  it('leaves different ids alone', () => {
    expect(
      pickWinners([
        { id: 'a', origin: 'global' },
        { id: 'b', origin: 'global' },
      ]).size,
    ).toBe(0);
  });
});
