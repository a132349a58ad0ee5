import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'before_agent_start alone may replace the system prompt',
  async check({ say }) {
    const { asked } = await say('hi', done);
    expect(asked[0]?.systemPrompt).toBe('legacy');
  },
});
