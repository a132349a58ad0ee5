import { expect } from 'vitest';
import { call, done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'after_tool_call of a tool that throws has what it threw',
  async check({ say, marks }) {
    await say('go', call('fail', {}), done);
    expect(marks).toMatchObject([
      {
        toolName: 'fail',
        error: expect.stringContaining('out of paper') as string,
        result: { isError: true },
      },
    ]);
  },
});
