import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'after a cancel message_sent has what was shown, not what was withheld',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['Plugin censor withheld this answer.']);
  },
});
