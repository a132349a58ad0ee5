import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'an observer that fails does not stop the turn',
  async check({ say, found }) {
    const { outcome } = await say('hi', done);
    expect(outcome).toEqual({ status: 'completed', text: 'Done.' });
    expect(found('hook_failed', 'bad')).toHaveLength(1);
  },
});
