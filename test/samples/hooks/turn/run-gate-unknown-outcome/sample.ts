import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'an outcome that is neither pass nor block blocks',
  mayRead: ['gate'],
  async check({ say, found }) {
    const { outcome } = await say('hi', done);
    expect(JSON.stringify(outcome)).toContain('before_agent_run returned an invalid decision');
    expect(found('hook_invalid_result', 'gate')).toHaveLength(1);
  },
});
