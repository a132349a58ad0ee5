import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'the option of api.on beats the default',
  async check({ say, found }) {
    await say('hi', done);
    expect(found('hook_timed_out', 'slow')[0]?.message).toContain('timed out after 25ms');
  },
});
