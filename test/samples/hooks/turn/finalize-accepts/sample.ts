import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'finalize beats every revision, an earlier one too',
  mayRead: ['nag', 'boss'],
  async check({ say }) {
    const { outcome } = await say('write', { text: '1' }, { text: '2' });
    expect(outcome).toEqual({ status: 'completed', text: '1' });
  },
});
