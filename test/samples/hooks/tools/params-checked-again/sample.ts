import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'parameters that a plugin made invalid are refused, and the model is told that a plugin changed them',
  async check({ say }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('not valid after a plugin changed them');
    expect(results[0]).not.toContain('text of a');
  },
});
