import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a guard that throws blocks the call, and its later neighbours are not asked',
  async check({ say, marks, found }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain(
      'Blocked by plugin "guard": Tool call blocked because before_tool_call hook failed',
    );
    expect(found('hook_failed', 'guard')[0]?.message).toBe(
      '[hooks] before_tool_call handler from guard failed: broken',
    );
    expect(marks).toEqual([]);
  },
});
