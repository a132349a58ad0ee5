import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a guard judges the parameters as they will run, not as the model wrote them',
  async check({ say }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Blocked by plugin "b-guard"');
  },
});
