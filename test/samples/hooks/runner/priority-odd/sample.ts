import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a priority that is no finite number counts as 0',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['one', 'text', 'nan', 'infinite', 'minus']);
  },
});
