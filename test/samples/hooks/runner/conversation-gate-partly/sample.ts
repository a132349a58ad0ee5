import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the other hooks of a plugin without access fire',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['message_received', 'message_sent']);
  },
});
