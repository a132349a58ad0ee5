import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'continue, an unknown action and nothing leave the answer as it is',
  mayRead: ['quiet'],
  async check({ say }) {
    const { outcome } = await say('write', { text: '1' }, { text: '2' });
    expect(outcome).toEqual({ status: 'completed', text: '1' });
  },
});
