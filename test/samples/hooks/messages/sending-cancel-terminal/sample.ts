import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'after a cancel no later handler is asked',
  async check({ say, marks }) {
    const { shown } = await say('hi', done);
    expect(shown).toContain('Plugin censor withheld');
    expect(marks).toEqual([]);
  },
});
