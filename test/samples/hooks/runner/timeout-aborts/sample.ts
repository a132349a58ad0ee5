import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a handler that runs out of time is told by its own abort signal, and no other is',
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toEqual(['slow aborted', 'quick not aborted']);
  },
});
