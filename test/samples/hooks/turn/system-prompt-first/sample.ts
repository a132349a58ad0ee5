import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: "the first plugin that gives a system prompt replaces the host's",
  async check({ say }) {
    const { asked } = await say('hi', done);
    expect(asked[0]?.systemPrompt).toBe('first');
  },
});
