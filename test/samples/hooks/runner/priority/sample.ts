import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'higher priorities run first, across plugins; none is 0',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['high', 'one', 'two', 'low']);
  },
});
