import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a question that nobody answers in time denies, and the asker is told',
  async check({ say, marks }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Approval timed out');
    expect(marks).toEqual(['timeout']);
  },
});
