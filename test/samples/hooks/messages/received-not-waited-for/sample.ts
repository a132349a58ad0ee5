import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'nobody waits for message_received: an observer may take until the answer is there',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['sent', 'received']);
  },
});
