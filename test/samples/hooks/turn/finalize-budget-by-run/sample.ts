import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'the budget belongs to one run: the next turn may be revised again',
  mayRead: ['nag'],
  async check({ say }) {
    await say('write', { text: '1' }, { text: '2' });
    const { outcome } = await say('write', { text: '3' }, { text: '4' });
    expect(outcome).toEqual({ status: 'completed', text: '4' });
  },
});
