import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'tool hooks are told agent, session, run, tool and call',
  async check({ session, say, marks }) {
    await say('read', readA, done);
    const { id, key } = session;
    const told = {
      agentId: 'main',
      sessionId: id,
      sessionKey: key,
      toolName: 'read',
      toolCallId: 'call_1_1',
    };
    expect(marks).toMatchObject([told, told]);
    expect((marks[0] as { runId: string }).runId).toMatch(/^[0-9a-f-]{36}$/u);
  },
});
