import { expect, it } from 'vitest';
import { judgeStat } from './checkCandidate.ts';

it.each([
  [{ mode: 0o755, uid: 1000 }, 1000, undefined],
  [{ mode: 0o755, uid: 0 }, 1000, undefined],
  [{ mode: 0o775, uid: 1000 }, 1000, undefined],
  [{ mode: undefined, uid: undefined }, undefined, undefined],
  [{ mode: 0o755, uid: 7 }, undefined, undefined],
  [{ mode: 0o757, uid: 1000 }, 1000, 'world-writable path (/p, mode=0757)'],
  [{ mode: 0o755, uid: 7 }, 1000, 'suspicious ownership (/p, uid=7, expected uid=1000 or root)'],
  [{ mode: 0o755, uid: 1000 }, 0, 'suspicious ownership (/p, uid=1000, expected uid=0 or root)'],
])('judges %j for user %s', (stat, ownUid, why) => {
  expect(judgeStat('/p', stat, ownUid)?.why).toBe(why);
});
