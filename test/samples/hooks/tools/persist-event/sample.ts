import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'tool_result_persist gets the message, the tool and the call, and that the tool ran',
  async check({ session, say, marks }) {
    await say('read', readA, done);
    expect(marks).toMatchObject([
      {
        toolName: 'read',
        toolCallId: 'call_1_1',
        isSynthetic: false,
        message: { role: 'toolResult', toolName: 'read', toolCallId: 'call_1_1', isError: false },
      },
      { agentId: 'main', sessionKey: session.key, toolName: 'read', toolCallId: 'call_1_1' },
    ]);
  },
});
