import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'message_sending gets the whole answer, who it is for and which message it answers',
  async check({ session, say, marks }) {
    await say('hi', { text: ['Do', 'ne.'] });
    const said = session.entries().find((entry) => entry.type === 'message');
    expect(marks).toEqual([
      {
        to: 'user',
        content: 'Done.',
        replyToId: said?.id,
        metadata: { channel: 'vscode' },
        context: { pluginConfig: {} },
      },
    ]);
  },
});
