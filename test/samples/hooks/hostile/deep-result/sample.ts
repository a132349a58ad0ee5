import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'metadata that is nested too deep is refused with all of its result',
  async check({ say, found }) {
    const { shown } = await say('hi', done);
    expect(shown).toBe('Done.');
    expect(found('hook_invalid_result', 'deep')).toHaveLength(1);
  },
});
