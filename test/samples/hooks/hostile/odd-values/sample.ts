import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'dates, sets and functions in metadata reach the next handler as what they are',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['Date Set Function']);
  },
});
