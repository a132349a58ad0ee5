import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'an empty override is none',
  mayRead: ['chooser'],
  async check({ say }) {
    const { outcome } = await say('hi', done);
    expect(outcome).toEqual({ status: 'completed', text: 'Done.' });
  },
});
