import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'what a guard answers after its time counts for nothing',
  async check({ say, marks }) {
    const { results } = await say('read', readA, done);
    await expect.poll(() => marks).toEqual(['answered']);
    expect(results[0]).toContain('hook failed');
    expect(results[0]).not.toContain('too late');
  },
});
