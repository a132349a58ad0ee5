import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'an error whose message can not be read is named all the same',
  async check({ say, found }) {
    const { outcome } = await say('hi', done);
    expect(outcome.status).toBe('completed');
    expect(found('hook_failed', 'odd')).toHaveLength(1);
  },
});
