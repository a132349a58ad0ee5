import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: "llm_input has what the model is about to read: system prompt, prompt, history with plugins' context, tools",
  mayRead: ['reader'],
  async check({ say, marks }) {
    await say('hi', done);
    expect(marks).toMatchObject([
      {
        provider: 'replay',
        model: 'test.jsonl',
        systemPrompt: 'be brief',
        prompt: 'hi',
        historyMessages: [{ role: 'user', content: [{ text: 'context' }, { text: 'hi' }] }],
        imagesCount: 0,
        tools: expect.arrayContaining([expect.objectContaining({ name: 'read' })]) as unknown[],
      },
    ]);
  },
});
