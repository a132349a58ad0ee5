import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'message_sent gets the text as it was delivered and the entry it is kept in',
  async check({ session, say, marks }) {
    await say('hi', done);
    expect(marks).toEqual([
      {
        to: 'user',
        content: 'Changed.',
        success: true,
        messageId: session.entries().findLast((entry) => entry.type === 'message')?.id,
        metadata: { channel: 'vscode' },
        context: { pluginConfig: {} },
      },
    ]);
  },
});
