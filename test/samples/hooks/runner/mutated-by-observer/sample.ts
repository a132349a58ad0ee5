import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'observers each have their own event, too',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['hi']);
  },
});
