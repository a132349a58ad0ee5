import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a message_sent handler that fails changes nothing of the delivery',
  async check({ say, found }) {
    const { outcome, shown } = await say('hi', done);
    expect([outcome.status, shown]).toEqual(['completed', 'Done.']);
    expect(found('hook_failed', 'bad')).toHaveLength(1);
  },
});
