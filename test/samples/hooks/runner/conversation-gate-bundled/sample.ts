import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'bundled plugins need no access of their own',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['hi']);
  },
});
