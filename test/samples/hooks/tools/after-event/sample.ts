import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: "after_tool_call gets the final parameters, the tool's result, its time and the call",
  async check({ say, marks }) {
    await say('read', readA, done);
    expect(marks).toMatchObject([
      {
        toolName: 'read',
        params: { path: 'a.md', limit: 1 },
        result: { content: [{ type: 'text', text: expect.stringContaining('text of a') as string }] },
        durationMs: expect.any(Number) as number,
        toolCallId: 'call_1_1',
      },
    ]);
    expect(marks[0]).not.toHaveProperty('error');
  },
});
