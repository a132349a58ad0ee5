import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a block that is no true or false blocks: a guard that answers nonsense is not trusted',
  async check({ say, found }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Tool call blocked because before_tool_call hook failed');
    expect(found('hook_invalid_result', 'guard')[0]?.message).toContain('"block" must be true or false');
  },
});
