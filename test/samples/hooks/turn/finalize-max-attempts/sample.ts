import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'maxAttempts is how many extra passes there are, whatever the plugin goes on to ask',
  mayRead: ['nag'],
  async check({ say }) {
    const { outcome } = await say('write', { text: '1' }, { text: '2' }, { text: '3' }, { text: '4' });
    expect(outcome).toEqual({ status: 'completed', text: '3' });
  },
});
