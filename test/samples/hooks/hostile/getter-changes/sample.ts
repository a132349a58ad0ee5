import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a result is read once: a getter that says something else later is not asked again',
  async check({ say, marks }) {
    const { results } = await say('read', readA, done);
    expect(marks).toEqual(['read']);
    expect(results[0]).toContain('text of a');
  },
});
