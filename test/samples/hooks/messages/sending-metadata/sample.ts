import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'metadata of one handler reaches the next, and what came of it message_sent',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual([{ tone: 'warm' }, { tone: 'warm' }]);
  },
});
