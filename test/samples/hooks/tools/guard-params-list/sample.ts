import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'parameters that are a list block the call',
  async check({ say, found }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Tool call blocked because before_tool_call hook failed');
    expect(found('hook_invalid_result', 'guard')[0]?.message).toContain('"params" must be an object');
  },
});
