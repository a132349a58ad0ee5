import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'before_agent_finalize gets the answer, the conversation, the model and the folder',
  mayRead: ['reader'],
  async check({ session, workspace, say, marks }) {
    await say('write', done);
    expect(marks).toMatchObject([
      {
        sessionId: session.id,
        sessionKey: session.key,
        provider: 'replay',
        model: 'test.jsonl',
        cwd: workspace,
        lastAssistantMessage: 'Done.',
        messages: [{ role: 'user' }, { role: 'assistant' }],
      },
    ]);
  },
});
