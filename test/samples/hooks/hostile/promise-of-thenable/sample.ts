import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a promise of a promise is waited for to its end',
  async check({ say }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Blocked by plugin "guard": deep');
  },
});
