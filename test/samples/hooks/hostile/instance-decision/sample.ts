import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a decision may be an instance of a class',
  async check({ say }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Blocked by plugin "guard": no');
  },
});
