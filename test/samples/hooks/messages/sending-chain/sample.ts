import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'each message_sending handler gets the text of the one before it',
  async check({ say, marks }) {
    const { shown } = await say('hi', done);
    expect(marks).toEqual(['one']);
    expect(shown).toBe('one two');
  },
});
