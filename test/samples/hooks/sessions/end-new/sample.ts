import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a session that the user starts over ends with the reason new, its number of messages, its duration and its file',
  async check({ runtime, session, say, marks }) {
    await say('one', done);
    await runtime.conversations.reset(session);
    expect(marks).toEqual([
      {
        sessionId: session.id,
        sessionKey: session.key,
        messageCount: 2,
        durationMs: expect.any(Number) as number,
        reason: 'new',
        sessionFile: session.file,
        context: { pluginConfig: {} },
      },
    ]);
  },
});
