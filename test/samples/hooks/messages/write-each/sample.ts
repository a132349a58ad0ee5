import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'before_message_write fires for each stored message of every role, with session and agent',
  async check({ session, say, marks }) {
    await say('read', readA, done);
    expect(marks).toEqual([
      `user ${session.key} main`,
      `assistant ${session.key} main`,
      `toolResult ${session.key} main`,
      `assistant ${session.key} main`,
    ]);
  },
});
