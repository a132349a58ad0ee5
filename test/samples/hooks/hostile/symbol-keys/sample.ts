import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'symbols in a result are not read',
  async check({ say, found }) {
    const { shown } = await say('hi', done);
    expect(shown).toBe('Done.');
    expect(found('hook_failed')).toEqual([]);
  },
});
