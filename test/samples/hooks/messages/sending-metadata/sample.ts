import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'metadata of one handler reaches the next',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual([{ tone: 'warm' }]);
  },
});
