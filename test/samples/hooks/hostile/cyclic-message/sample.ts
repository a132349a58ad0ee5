import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a message that holds itself is not stored; the one before it is',
  async check({ say, transcript }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('text of a');
    expect(transcript()).toHaveLength(4);
  },
});
