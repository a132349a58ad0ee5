import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'nobody waits for agent_end: an observer may take until the answer is there',
  mayRead: ['slow'],
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['sent', 'ended']);
  },
});
