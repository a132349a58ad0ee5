import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'llm_output has the texts, the message, the usage and the model that answered',
  mayRead: ['reader'],
  async check({ say, marks }) {
    await say('hi', { text: ['Do', 'ne.'], usage: { input: 7, output: 3 } });
    expect(marks).toMatchObject([
      {
        resolvedRef: 'replay/test.jsonl',
        prompt: 'hi',
        assistantTexts: ['Done.'],
        lastAssistant: { role: 'assistant', stopReason: 'stop' },
        usage: { input: 7, output: 3 },
        harnessId: 'pincer',
        contextTokenBudget: 102_400,
        contextWindowSource: 'model',
        contextWindowReferenceTokens: 128_000,
      },
    ]);
  },
});
