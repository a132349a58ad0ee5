import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a blocked run ends for observers, too: agent_end without the words, no message_sending',
  mayRead: ['gate'],
  async check({ say, marks }) {
    await say('the key is hunter2', done);
    expect(marks).toEqual([{ success: false, error: 'blocked', told: false }]);
  },
});
