import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a gate that does not answer in time blocks',
  mayRead: ['gate'],
  async check({ say, found }) {
    const { outcome } = await say('hi', done);
    expect(JSON.stringify(outcome)).toContain('before_agent_run hook failed');
    expect(found('hook_timed_out', 'gate')).toHaveLength(1);
  },
});
