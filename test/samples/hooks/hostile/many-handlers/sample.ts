import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'ten thousand handlers of one plugin are all heard',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual([10_000]);
  },
});
