import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a decision in the field __proto__ is none',
  async check({ say }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('text of a');
  },
});
