import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a handler that failed once is called again the next time',
  async check({ say, marks }) {
    await say('one', done);
    await say('two', done);
    expect(marks).toEqual(['one', 'two']);
  },
});
