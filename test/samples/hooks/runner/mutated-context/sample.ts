import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a context that a handler changes is its own',
  async check({ session, say, marks }) {
    await say('hi', done);
    expect(marks).toEqual([session.id]);
  },
});
