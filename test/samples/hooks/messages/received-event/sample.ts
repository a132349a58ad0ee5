import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'message_received gets the words, the sender, the time, the session, the run and its entry',
  async check({ session, say, marks }) {
    await say('hi', done);
    expect(marks).toEqual([
      {
        from: 'user',
        content: 'hi',
        timestamp: expect.any(Number) as number,
        messageId: session.entries().find((entry) => entry.type === 'message')?.id,
        senderId: 'user',
        sessionKey: session.key,
        runId: expect.any(String) as string,
        metadata: { provider: 'vscode', surface: 'vscode' },
        context: { pluginConfig: {} },
      },
    ]);
  },
});
