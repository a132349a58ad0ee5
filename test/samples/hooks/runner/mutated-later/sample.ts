import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'an event that a handler keeps and changes later is still its own',
  async check({ say, marks }) {
    const { results } = await say('read', readA, done);
    expect(marks).toEqual(['a.md']);
    expect(results[0]).toContain('text of a');
  },
});
