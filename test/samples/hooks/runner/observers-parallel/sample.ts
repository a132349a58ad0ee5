import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'observers start together: the first may wait for what the last one does',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['first starts', 'last ends', 'first ends']);
  },
});
