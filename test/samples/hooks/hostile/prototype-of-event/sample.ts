import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the prototypes of an event are not a way to other plugins',
  async check({ say, marks }) {
    await say('read', readA, done);
    expect(marks).toEqual([undefined]);
  },
});
