import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a result that holds itself is refused, and a guard that gives one blocks',
  async check({ say, found }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Tool call blocked because before_tool_call hook failed');
    expect(found('hook_invalid_result', 'circle')[0]?.message).toContain('nested deeper than 100 levels');
  },
});
