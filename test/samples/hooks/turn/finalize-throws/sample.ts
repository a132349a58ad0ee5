import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'a plugin that fails here does not hold the answer back',
  mayRead: ['nag'],
  async check({ say, found }) {
    const { outcome } = await say('write', { text: '1' });
    expect(outcome).toEqual({ status: 'completed', text: '1' });
    expect(found('hook_failed', 'nag')).toHaveLength(1);
  },
});
