import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a plugin that fails to reply leaves the message to the model',
  mayRead: ['parrot'],
  async check({ say, found }) {
    const { outcome } = await say('hello', done);
    expect(outcome).toEqual({ status: 'completed', text: 'Done.' });
    expect(found('hook_failed', 'parrot')).toHaveLength(1);
  },
});
