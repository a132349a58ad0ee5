import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'message hooks are told channel, conversation, session, run and sender',
  async check({ session, say, marks }) {
    await say('hi', done);
    const told = {
      channelId: 'vscode',
      conversationId: session.id,
      sessionKey: session.key,
      runId: expect.any(String) as string,
      senderId: 'user',
    };
    expect(marks).toEqual([told, told, told]);
  },
});
