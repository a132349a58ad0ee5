import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: "timeoutBehavior allow alone does not open a call: without the user's own setting a timeout denies",
  async check({ say }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Approval timed out');
  },
});
