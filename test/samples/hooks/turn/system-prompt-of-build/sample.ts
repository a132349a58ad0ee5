import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the system prompt of before_prompt_build beats that of the older before_agent_start',
  async check({ say }) {
    const { asked } = await say('hi', done);
    expect(asked[0]?.systemPrompt).toBe('build');
  },
});
