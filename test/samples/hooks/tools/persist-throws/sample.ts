import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a handler that throws leaves the result as the one before it left it',
  async check({ say, found }) {
    const { results } = await say('read', readA, done);
    expect(results).toEqual(['one']);
    expect(found('hook_failed', 'b-bad')).toHaveLength(1);
  },
});
