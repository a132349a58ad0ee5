import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'after finalize no later plugin is asked',
  mayRead: ['boss', 'nag'],
  async check({ say, marks }) {
    const { outcome } = await say('write', { text: '1' }, { text: '2' });
    expect(outcome).toEqual({ status: 'completed', text: '1' });
    expect(marks).toEqual([]);
  },
});
