import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a result with a field of the wrong type counts as a failure, all of it',
  async check({ say, found }) {
    const { shown } = await say('hi', done);
    expect(shown).toBe('Done.');
    expect(found('hook_invalid_result', 'bad')[0]?.message).toContain('"content" must be text');
  },
});
