import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a result that traps every access is refused, and a guard that gives one blocks',
  async check({ say }) {
    const { results, shown } = await say('read', readA, done);
    expect(results[0]).toContain('Tool call blocked because before_tool_call hook failed');
    expect(shown).toBe('Done.');
  },
});
