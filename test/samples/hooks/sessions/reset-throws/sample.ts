import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a plugin that fails before a reset does not stop it',
  async check({ runtime, session, say, marks, found }) {
    await say('one', done);
    await runtime.conversations.reset(session);
    expect(marks).toEqual(['ended']);
    expect(found('hook_failed', 'bad')).toHaveLength(1);
  },
});
