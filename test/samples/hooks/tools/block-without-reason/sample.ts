import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a block without a reason has the default one',
  async check({ say }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Tool call blocked by plugin hook');
  },
});
