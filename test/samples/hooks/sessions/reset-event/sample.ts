import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'before_reset has the messages while they are there and comes before session_end',
  async check({ runtime, session, say, marks }) {
    await say('one', done);
    await runtime.conversations.reset(session);
    expect(marks).toEqual(['before_reset new user assistant', 'session_end']);
  },
});
