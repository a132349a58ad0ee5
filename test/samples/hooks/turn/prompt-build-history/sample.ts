import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'prompt hooks get the history without the message of this turn',
  async check({ say, marks }) {
    await say('one', done);
    await say('two', done);
    expect(marks).toEqual(['one: ', 'two: user assistant']);
  },
});
