import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'after a block no later plugin is asked, and none can take it back',
  async check({ say, marks }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Blocked by plugin "first"');
    expect(marks).toEqual([]);
  },
});
