import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'start and end of a model call have one id, and each call has its own',
  async check({ say, marks }) {
    await say('read', readA, done);
    expect(marks).toHaveLength(4);
    expect(marks[0]).toBe(marks[1]);
    expect(marks[2]).toBe(marks[3]);
    expect(marks[0]).not.toBe(marks[2]);
  },
});
