import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a thenable that never settles runs out of time as a promise does',
  async check({ say, found }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('hook failed');
    expect(found('hook_timed_out', 'guard')).toHaveLength(1);
  },
});
