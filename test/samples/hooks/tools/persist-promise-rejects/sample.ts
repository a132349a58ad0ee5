import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a promise of a sync hook that rejects harms nobody and is named',
  async check({ say, found }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('text of a');
    await expect.poll(() => found('hook_failed', 'late')).toHaveLength(1);
  },
});
