import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'session_start comes before the first message_received',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['session_start', 'message_received']);
  },
});
