import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'an error that a guard returns in place of throwing it is no pass',
  async check({ say }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Tool call blocked because before_tool_call hook failed');
  },
});
