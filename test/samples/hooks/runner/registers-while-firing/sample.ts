import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a handler that is registered while its hook fires counts from the next time on',
  async check({ say, marks }) {
    await say('one', done);
    await say('two', done);
    expect(marks).toEqual(['first one', 'first two', 'second two']);
  },
});
