import { expect } from 'vitest';
import { sample } from '../../hookSample.ts';

export default sample({
  rule: 'a revision without maxAttempts is carried out once',
  mayRead: ['nag'],
  async check({ say }) {
    const { outcome } = await say('write', { text: 'one' }, { text: 'two' }, { text: 'three' });
    expect(outcome).toEqual({ status: 'completed', text: 'two' });
  },
});
