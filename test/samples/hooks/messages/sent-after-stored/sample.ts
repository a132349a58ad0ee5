import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'message_sent fires when the answer stands in the transcript',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['write user', 'write assistant', 'sent']);
  },
});
