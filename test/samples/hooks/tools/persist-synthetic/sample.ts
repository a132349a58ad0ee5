import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a result that the host made up for a call that never ran is marked as synthetic',
  async check({ say, marks }) {
    await say('read', readA, done);
    expect(marks).toEqual([true]);
  },
});
