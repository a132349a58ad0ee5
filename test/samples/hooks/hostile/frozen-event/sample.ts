import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: "a handler that freezes its event freezes nobody else's",
  async check({ say, marks }) {
    const { results } = await say('read', readA, done);
    expect(marks).toEqual(['free']);
    expect(results[0]).toContain('text of a');
  },
});
