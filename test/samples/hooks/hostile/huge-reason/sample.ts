import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a huge reason is cut like any result',
  async check({ say }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Blocked by plugin "loud"');
    expect(results[0]?.length).toBeLessThanOrEqual(16_000);
  },
});
