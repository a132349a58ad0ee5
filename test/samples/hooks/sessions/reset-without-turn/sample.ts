import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'before_reset fires for a session that was only read',
  async check({ runtime, session, marks }) {
    await runtime.conversations.reset(session);
    expect(marks).toEqual(['before_reset']);
  },
});
