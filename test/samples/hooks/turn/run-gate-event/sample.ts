import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'before_agent_run judges the prompt, the history and the system prompt as plugins left it',
  mayRead: ['gate'],
  async check({ say, marks }) {
    await say('one', done);
    await say('two', done);
    expect(marks[1]).toMatchObject({
      prompt: 'two',
      messages: [{ role: 'user' }, { role: 'assistant' }],
      systemPrompt: 'be brief',
      channelId: 'vscode',
      senderIsOwner: true,
    });
  },
});
