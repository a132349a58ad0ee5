import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a result that is no object is named and ignored where a hook fails open',
  async check({ say, found }) {
    const { shown } = await say('hi', done);
    expect(shown).toBe('Done.');
    expect(found('hook_invalid_result', 'writer')[0]?.message).toContain(
      'it must be an object, not a value of type string',
    );
  },
});
