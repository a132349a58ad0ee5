import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a result whose then can not be read is a failure: a guard blocks',
  async check({ say, found }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Tool call blocked because before_tool_call hook failed');
    expect(found('hook_failed', 'guard')).toHaveLength(1);
  },
});
