import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a guard that does not answer in time blocks the call',
  async check({ say, found }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Tool call blocked because before_tool_call hook failed');
    expect(found('hook_timed_out', 'guard')[0]?.message).toContain('timed out after 20ms');
  },
});
