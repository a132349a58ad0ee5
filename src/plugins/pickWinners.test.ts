import { describe, expect, it } from 'vitest';
import { pickWinners } from './pickWinners.ts';

describe('pickWinners', () => {
  it('ranks config over bundled over workspace over global, and the first of equals', () => {
    const of = (origin: 'config' | 'bundled' | 'workspace' | 'global') => ({
      id: 'p',
      origin,
      mayRun: true,
    });
    const all = [of('global'), of('workspace'), of('workspace'), of('bundled'), of('config')] as const;
    expect([...pickWinners(all).values()]).toEqual(Array(4).fill(all[4]));
    const [first, second] = [of('workspace'), of('workspace')];
    expect(pickWinners([first, second])).toEqual(new Map([[second, first]]));
  });

  it('lets no workspace plugin that may not run displace a global one', () => {
    const of = (origin: 'workspace' | 'global') => ({ id: 'p', origin, mayRun: origin === 'global' });
    const [first, second, mine, older] = [of('workspace'), of('workspace'), of('global'), of('global')];
    const losers = pickWinners([first, second, mine, older]);
    expect([...losers.keys()]).toEqual([second, older]);
    expect(losers.get(second)).toBe(first);
    expect(losers.get(older)).toBe(mine);
  });

  it('leaves different ids alone', () => {
    expect(
      pickWinners([
        { id: 'a', origin: 'global', mayRun: true },
        { id: 'b', origin: 'global', mayRun: true },
      ]).size,
    ).toBe(0);
  });
});
