import { expect } from 'vitest';
import { done, readA, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a decision that an instance of a class gives by an accessor counts',
  async check({ say }) {
    const { results } = await say('read', readA, done);
    expect(results[0]).toContain('Blocked by plugin "guard"');
  },
});
