import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'after_tool_call of a blocked call has the reason as its error',
  async check({ say, marks }) {
    await say('read', readA, done);
    expect(marks).toMatchObject([
      { toolName: 'read', error: expect.stringContaining('not today') as string },
    ]);
  },
});
