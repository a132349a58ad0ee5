import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'block false and block null are no decision',
  async check({ say }) {
    const { results } = await say('read', readA, done);
    expect(results).toEqual([expect.stringContaining('text of a')]);
  },
});
