import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a session that goes on after a reset begins again',
  async check({ runtime, session, say, marks }) {
    await say('one', done);
    await runtime.conversations.reset(session);
    await say('two', done);
    expect(marks).toEqual(['session_start', 'session_end', 'session_start']);
  },
});
