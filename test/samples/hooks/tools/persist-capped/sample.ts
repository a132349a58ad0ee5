import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'what a plugin makes of a result is cut like any other: 16 000 characters, with a note',
  async check({ say }) {
    const { results } = await say('read', readA, done);
    expect(results[0]?.length).toBeLessThanOrEqual(16_000);
    expect(results[0]).toContain('[Cut: 40000 characters in all.');
  },
});
