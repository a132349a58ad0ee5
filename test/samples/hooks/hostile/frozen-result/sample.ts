import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'frozen results are fine, and what the next handler gets is not frozen',
  async check({ say, found }) {
    const { results } = await say('read', readA, done);
    expect(results).toEqual(['one two']);
    expect(found('hook_failed')).toEqual([]);
  },
});
