import { expect } from 'vitest';
import { done, sample } from '../../hookSample.ts';

export default sample({
  rule: 'a reply may be an object with a text',
  mayRead: ['parrot'],
  async check({ say }) {
    const { outcome } = await say('hello', done);
    expect(outcome).toEqual({ status: 'completed', text: 'squawk' });
  },
});
