import { expect } from 'vitest';
import { done, readA, sample, writeB } from '../../hookSample.ts';

export default sample({
  rule: 'an observer of results with a matcher hears of those tools alone',
  answer: 'allow-once',
  async check({ say, marks }) {
    await say('read and write', readA, writeB, done);
    expect(marks).toEqual(['write']);
  },
});
