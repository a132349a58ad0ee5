import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a handler that is registered twice is called twice',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['heard', 'heard']);
  },
});
