import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'before_message_write gets a tool result as tool_result_persist left it',
  async check({ say, marks }) {
    await say('read', readA, done);
    expect(marks).toEqual(['short']);
  },
});
