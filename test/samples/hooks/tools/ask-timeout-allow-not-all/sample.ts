import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'one asker that does not let a timeout mean yes keeps it a no',
  config: { approvals: { timeoutMayAllow: true } },
  async check({ say }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Approval timed out');
  },
});
