import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'revisions with the same idempotencyKey share a budget, whatever their instructions',
  mayRead: ['nag'],
  async check({ say }) {
    const { outcome } = await say('write', { text: '1' }, { text: '2' }, { text: '3' });
    expect(outcome).toEqual({ status: 'completed', text: '2' });
  },
});
