import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'reply_payload_sending gets each answer with its kind, before message_sending',
  async check({ session, say, marks }) {
    await say('read', { text: 'I look.', toolCalls: [{ name: 'read', arguments: { path: 'a.md' } }] }, done);
    const told = { channel: 'vscode', sessionKey: session.key, runId: expect.any(String) as string };
    expect(marks).toMatchObject([
      { payload: { text: 'I look.' }, kind: 'block', ...told },
      'I look.',
      { payload: { text: 'Done.' }, kind: 'final', ...told },
      'Done.',
    ]);
  },
});
