import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'session_end waits for the observers of before_reset: they may still save what they need',
  async check({ runtime, session, say, marks }) {
    await say('one', done);
    await runtime.conversations.reset(session);
    expect(marks).toEqual(['saved', 'ended']);
  },
});
