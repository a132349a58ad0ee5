import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'a revision without reason and instruction is none',
  mayRead: ['nag'],
  async check({ say }) {
    const { outcome, asked } = await say('write', { text: '1' }, { text: '2' });
    expect(outcome).toEqual({ status: 'completed', text: '1' });
    expect(asked).toHaveLength(1);
  },
});
