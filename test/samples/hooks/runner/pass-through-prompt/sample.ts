import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a later prompt hook sees the context that earlier ones gave',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['one']);
  },
});
