import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'what before_agent_reply answers is shown, where no plugin listens to message_sending, too',
  mayRead: ['parrot'],
  async check({ say }) {
    const { shown } = await say('hello', done);
    expect(shown).toBe('squawk');
  },
});
