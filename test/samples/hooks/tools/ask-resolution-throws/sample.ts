import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'an onResolution that fails changes nothing, and the failure is put down to its plugin',
  answer: 'allow-once',
  async check({ say, found }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('text of a');
    await expect.poll(() => found('hook_resolution_failed', 'asker')).toHaveLength(1);
  },
});
