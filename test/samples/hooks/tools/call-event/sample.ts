import { expect } from 'vitest';
import { readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'before_tool_call gets tool, parameters, the paths they name, run and call',
  async check({ workspace, say, marks }) {
    await say('read', readA);
    expect(marks).toEqual([
      {
        toolName: 'read',
        params: { path: 'a.md' },
        derivedPaths: [`${workspace}/a.md`],
        runId: expect.any(String) as string,
        toolCallId: 'call_1_1',
        context: { pluginConfig: {} },
      },
    ]);
  },
});
