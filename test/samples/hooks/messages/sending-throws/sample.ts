import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a handler that throws leaves the answer to the others',
  async check({ say, found }) {
    const { shown } = await say('hi', done);
    expect(shown).toBe('Done. Bye.');
    expect(found('hook_failed', 'a-bad')).toHaveLength(1);
  },
});
