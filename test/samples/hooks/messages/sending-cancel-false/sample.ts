import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'cancel false is no decision',
  async check({ say }) {
    const { shown } = await say('hi', done);
    expect(shown).toBe('Done.');
  },
});
