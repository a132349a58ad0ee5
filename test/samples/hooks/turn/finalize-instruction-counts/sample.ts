import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'without a key each instruction has a budget of its own',
  mayRead: ['nag'],
  async check({ say, marks }) {
    const { outcome } = await say('write', { text: '1' }, { text: '2' }, { text: '2' }, { text: '4' });
    expect(outcome).toEqual({ status: 'completed', text: '2' });
    expect(marks).toEqual(['1', '2', '2']);
  },
});
