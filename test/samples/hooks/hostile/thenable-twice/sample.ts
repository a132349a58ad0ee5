import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'of a thenable that settles more than once the first answer counts',
  async check({ say }) {
    const { shown } = await say('hi', done);
    expect(shown).toBe('first');
  },
});
