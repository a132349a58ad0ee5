import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'handlers of equal priority run as they were registered: plugin by plugin, line by line',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['a1', 'a2', 'b1', 'b2']);
  },
});
