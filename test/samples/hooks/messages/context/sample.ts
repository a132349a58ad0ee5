import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'message hooks are told channel, conversation, session, run, sender and the place in a tree of runs',
  async check({ session, say, marks }) {
    await say('hi', done);
    const { traceId, spanId } = marks[0] as { readonly traceId: string; readonly spanId: string };
    expect([traceId, spanId].map((id) => id.length)).toEqual([32, 16]);
    const told = {
      channelId: 'vscode',
      conversationId: session.id,
      sessionKey: session.key,
      runId: expect.any(String) as string,
      senderId: 'user',
      traceId,
      spanId,
      trace: { traceId, spanId },
      callDepth: 0,
    };
    const [said, answer] = session.entries().filter((entry) => entry.type === 'message');
    const [received, sending, sent] = [said, said, answer].map((entry) => ({
      ...told,
      messageId: entry?.id,
    }));
    expect(marks).toEqual([received, sending, sent]);
  },
});
