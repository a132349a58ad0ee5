import { expect } from 'vitest';
import { done, sample, writeB } from '../../hookSample.ts';

export default sample({
  rule: 'after_tool_call of a denied call says that the user denied it',
  answer: 'deny',
  async check({ say, marks }) {
    await say('write', writeB, done);
    expect(marks).toMatchObject([
      { toolName: 'write', error: expect.stringContaining('Denied by user') as string },
    ]);
  },
});
