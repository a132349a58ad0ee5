import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'where the user permits it, a question whose every asker says so means yes when nobody answers',
  config: { approvals: { timeoutMayAllow: true } },
  async check({ say, marks }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('text of a');
    expect(marks).toEqual(['timeout']);
  },
});
