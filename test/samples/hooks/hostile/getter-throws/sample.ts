import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a result that can not be read is no decision: a guard blocks, other hooks leave things as they are',
  async check({ say, found }) {
    const { results, shown } = await say('read', readA, done);
    expect(results[0]).toContain('Tool call blocked because before_tool_call hook failed');
    expect(shown).toBe('Done.');
    expect(found('hook_invalid_result', 'shut').length).toBeGreaterThanOrEqual(2);
  },
});
